import type { ReactNode } from 'react';
import { maxLoopDelayMs } from '#shared/domain/operations/find-overload.ts';
import { ageWords, durationWords } from '../carriers/carrier-words.ts';
import { countTroubled, maxDueAgeS, maxFeedAgeS, maxUnsentAgeS } from './answer-sentence.ts';
import type { WireOperations } from './operations-state.ts';
import { countFailed, type Sample } from './samples.ts';

type Colour = 'plain' | 'amber' | 'red';
type Figure = { note: string; value: string; unit: string; of: (sample: Sample) => number; colour: Colour };

export const figureNames = [
  'Oldest due',
  'Carrier calls',
  'Carriers with problems',
  'Failed refreshes',
  'Feed delay',
] as const;

const colours: Record<Colour, string> = { plain: '', amber: 'text-amber', red: 'text-red' };
const lineColours: Record<Colour, string> = { ...colours, plain: 'text-t2' };
/** The database counts no further. */
const maxCounted = 10_000;

/** Five numbers with their limits and a trend since the page was opened, and what belongs to them. */
export function FiveNumbers({ state, samples }: { state: WireOperations; samples: readonly Sample[] }) {
  const figures = figuresOf(state);
  return (
    <>
      <ul className="grid grid-cols-5 gap-px border-line border-b bg-line max-lg:grid-cols-2">
        {figureNames.map((name) => {
          const { note, value, unit, of, colour } = figures[name];
          return (
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
                  className={`whitespace-nowrap font-semibold text-figure tabular-nums tracking-[-0.02em] ${colours[colour]}`}
                >
                  {value}
                  {unit !== '' && <span className="ml-1 font-normal text-body text-t2 tracking-normal">{unit}</span>}
                </span>
                <SparkLine values={samples.map(of)} colour={colour} />
              </div>
            </li>
          );
        })}
      </ul>
      <dl className="flex flex-wrap gap-x-8 gap-y-1 border-line border-b px-4 py-2 text-label">
        {factsOf(state).map(([name, value]) => (
          <div key={name} className="flex gap-2">
            <dt className="text-t2">{name}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function figuresOf(state: WireOperations): Record<(typeof figureNames)[number], Figure> {
  const troubled = countTroubled(state);
  const failed = countFailed(state);
  const [due, dueUnit] = parted(state.due.count === 0 ? 0 : state.due.oldest_age_s);
  const [late, lateUnit] = parted(state.feed_age_s);
  return {
    'Oldest due': {
      note: 'limit 5 min',
      value: due,
      unit: dueUnit,
      of: ({ oldestDueS }) => oldestDueS,
      colour: state.due.oldest_age_s > maxDueAgeS ? 'amber' : 'plain',
    },
    'Carrier calls': {
      note: 'last 5 min',
      value: state.calls_per_minute.toLocaleString('en'),
      unit: 'a minute',
      of: ({ callsPerMinute }) => callsPerMinute,
      colour: state.workers === 0 ? 'red' : 'plain',
    },
    'Carriers with problems': {
      note: `of ${state.connectors.length.toLocaleString('en')}`,
      value: troubled.toLocaleString('en'),
      unit: '',
      of: ({ troubled: each }) => each,
      colour: troubled > 0 ? 'amber' : 'plain',
    },
    'Failed refreshes': {
      note: 'last 15 min',
      value: failed.toLocaleString('en'),
      unit: '',
      of: ({ failedRefreshes }) => failedRefreshes,
      colour: failed > 0 ? 'amber' : 'plain',
    },
    'Feed delay': {
      note: 'limit 30 s',
      value: late,
      unit: lateUnit,
      of: ({ feedAgeS }) => feedAgeS,
      colour: state.feed_age_s > maxFeedAgeS ? 'amber' : 'plain',
    },
  };
}

function factsOf(state: WireOperations): [string, ReactNode][] {
  const { count } = state.due;
  const isLate = state.delivery_age_s > maxDueAgeS;
  return [
    ['Due, not claimed', count >= maxCounted ? '10,000 or more' : count.toLocaleString('en')],
    [
      'Workers',
      <span key="workers" className={state.workers === 0 ? 'text-red' : ''}>{`${state.workers} running`}</span>,
    ],
    ['Event loop delay', loopDelayWords(state.loop_delay_ms)],
    ['Registrations', `${state.registrations_per_minute.toLocaleString('en')} in the last minute`],
    [
      'Oldest carrier push',
      <span key="pushes" className={isLate ? 'text-amber' : ''}>
        {state.delivery_age_s === 0 ? 'none waiting' : ageWords(state.delivery_age_s)}
      </span>,
    ],
    ['Webhooks', webhookWords(state.webhooks)],
  ];
}

/** Endpoints and what waits for them; what Landfall itself sends late stands out. */
function webhookWords({ enabled, failing, waiting, ...ages }: WireOperations['webhooks']): ReactNode {
  if (enabled === 0) return 'no endpoints';
  const failed = failing === 0 ? `${enabled.toLocaleString('en')} enabled` : `${failing} of ${enabled} failing`;
  const retries = waiting >= maxCounted ? '10,000 or more' : waiting.toLocaleString('en');
  return (
    <>
      {failed}, {waiting === 0 ? 'none waiting' : `${retries} waiting, oldest ${ageWords(ages.oldest_waiting_age_s)}`}
      {ages.unsent_age_s > 1 && (
        <span className={ages.unsent_age_s > maxUnsentAgeS ? 'text-amber' : ''}>
          , unsent for {ageWords(ages.unsent_age_s)}
        </span>
      )}
    </>
  );
}

/** How late the processes run, at the 99th percentile. */
function loopDelayWords({ api, worker }: WireOperations['loop_delay_ms']): ReactNode {
  return [['API', api] as const, ['worker', worker] as const].flatMap(([name, delayMs], index) => {
    if (delayMs === null) return [];
    return [
      <span key={name} className={delayMs >= maxLoopDelayMs ? 'text-amber' : ''}>
        {index === 0 ? '' : ', '}
        {name} {durationWords(delayMs)}
      </span>,
    ];
  });
}

function parted(seconds: number): [string, string] {
  const [value = '0', unit = ''] = ageWords(seconds).split(' ');
  return [value, unit];
}

const width = 112;
const height = 28;

/** The trend of a number, with a dot at its newest point. Decorative: the number stands beside it. */
function SparkLine({ values, colour }: { values: readonly number[]; colour: Colour }) {
  const max = Math.max(...values, Number.MIN_VALUE);
  const point = (value: number, index: number) =>
    [(index / Math.max(values.length - 1, 1)) * (width - 6) + 1, height - 4 - (value / max) * (height - 8)] as const;
  const points = values.map(point);
  const [x, y] =
    values.length === 1 ? [width - 5, points[0]?.[1] ?? height - 4] : (points.at(-1) ?? [width - 5, height - 4]);
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={`min-w-0 max-w-28 max-sm:hidden ${lineColours[colour]}`}
    >
      <path d={`M0 ${height - 0.5}H${width}`} stroke="var(--line)" />
      {points.length > 1 && (
        <path
          d={`M${points.map((each) => each.map((part) => part.toFixed(1)).join(' ')).join('L')}`}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.2"
          strokeLinejoin="round"
        />
      )}
      <circle cx={x} cy={y} r="2" fill="currentColor" />
    </svg>
  );
}
