import { ageWords } from '../carriers/carrier-words.ts';
import { countTroubled } from './answer-sentence.ts';
import type { WireOperations } from './operations-types.ts';
import { countFailed, type Sample } from './samples.ts';
import { SparkLine } from './spark-line.tsx';

const dueLimitS = 300;
const feedLimitS = 30;

type Figure = {
  name: string;
  note: string;
  value: string;
  unit: string;
  of: (sample: Sample) => number;
  colour: 'plain' | 'amber' | 'red';
};

/** Five numbers that tell at a glance, each with its limit and what was seen since the page was opened. */
export function FiveNumbers({ state, samples }: { state: WireOperations; samples: readonly Sample[] }) {
  return (
    <ul className="grid grid-cols-5 gap-px border-line border-b bg-line max-lg:grid-cols-2">
      {figuresOf(state).map(({ name, note, value, unit, of, colour }) => (
        <li
          key={name}
          className="flex h-[88px] min-w-0 flex-col justify-center gap-0.5 bg-bg px-4 max-lg:last:col-span-2"
        >
          <div className="flex justify-between gap-2">
            <h2 className="whitespace-nowrap text-label text-t2">{name}</h2>
            <span className="truncate text-label text-t3 max-sm:hidden">{note}</span>
          </div>
          <div className="flex items-center justify-between gap-3">
            <span
              className={`whitespace-nowrap font-semibold text-figure tabular-nums tracking-[-0.02em] ${{ plain: '', amber: 'text-amber', red: 'text-red' }[colour]}`}
            >
              {value}
              {unit !== '' && <span className="ml-1 font-normal text-body text-t2 tracking-normal">{unit}</span>}
            </span>
            <SparkLine values={samples.map(of)} colour={colour} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function figuresOf(state: WireOperations): Figure[] {
  const troubled = countTroubled(state);
  const failed = countFailed(state);
  const behind = Math.max(state.feed_age_s, state.delivery_age_s);
  const [due, dueUnit] = parted(state.due.count === 0 ? 0 : state.due.oldest_age_s);
  const [late, lateUnit] = parted(behind);
  return [
    {
      name: 'Oldest due',
      note: 'limit 5 min, paused too',
      value: due,
      unit: dueUnit,
      of: ({ oldestDueS }) => oldestDueS,
      colour: state.due.oldest_age_s > dueLimitS ? 'amber' : 'plain',
    },
    {
      name: 'Carrier calls',
      note: state.workers === 1 ? '1 worker' : `${state.workers.toLocaleString('en')} workers`,
      value: state.calls_per_minute.toLocaleString('en'),
      unit: 'a minute',
      of: ({ callsPerMinute }) => callsPerMinute,
      colour: state.workers === 0 ? 'red' : 'plain',
    },
    {
      name: 'Carriers in trouble',
      note: `of ${state.connectors.length.toLocaleString('en')}`,
      value: troubled.toLocaleString('en'),
      unit: '',
      of: ({ troubled: each }) => each,
      colour: troubled > 0 ? 'amber' : 'plain',
    },
    {
      name: 'Refreshes failed',
      note: 'last 15 min',
      value: failed.toLocaleString('en'),
      unit: '',
      of: ({ failedRefreshes }) => failedRefreshes,
      colour: failed > 0 ? 'amber' : 'plain',
    },
    {
      name: 'Feed behind',
      note: 'limit 30 s',
      value: late,
      unit: lateUnit,
      of: ({ feedAgeS }) => feedAgeS,
      colour: behind > feedLimitS ? 'amber' : 'plain',
    },
  ];
}

function parted(seconds: number): [string, string] {
  const [value = '0', unit = ''] = ageWords(seconds).split(' ');
  return [value, unit];
}
