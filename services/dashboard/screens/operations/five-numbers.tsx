import type { ReactNode } from 'react';
import { maxLoopDelayMs } from '#shared/domain/installation/find-overload.ts';
import { countFailed } from '#shared/domain/installation/troubled.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { ageWords, durationWords } from '../carriers/carrier-words.ts';
import { countTroubled, maxDueAgeS, maxFeedAgeS, maxUnsentAgeS } from './answer-sentence.ts';
import { stateOf, type WireOperations, type WireOperationsHistory } from './operations-state.ts';

type Colour = 'plain' | 'amber' | 'red';
type Trend = keyof WireOperationsHistory['trends'];
type Figure = { note: string; value: string; unit: string; trend: Trend; now: number; colour: Colour };

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

type Props = { state: WireOperations; history: WireOperationsHistory | undefined };

/** Five numbers with their limits and their last 24 hours, and what belongs to them. */
export function FiveNumbers({ state, history }: Props) {
  const figures = figuresOf(state);
  return (
    <>
      <ul className="grid grid-cols-5 gap-px border-line border-b bg-line max-lg:grid-cols-2">
        {figureNames.map((name) => {
          const { note, value, unit, trend, now, colour } = figures[name];
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
                <SparkLine values={[...(history?.trends[trend] ?? []), now]} colour={colour} />
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
  const failed = countFailed(stateOf(state).failures);
  const [due, dueUnit] = parted(state.due.count === 0 ? 0 : state.due.oldest_age_s);
  const [late, lateUnit] = parted(state.feed_age_s);
  return {
    'Oldest due': {
      note: 'limit 5 min',
      value: due,
      unit: dueUnit,
      trend: 'oldest_due_s',
      now: state.due.count === 0 ? 0 : state.due.oldest_age_s,
      colour: state.due.oldest_age_s > maxDueAgeS ? 'amber' : 'plain',
    },
    'Carrier calls': {
      note: 'last 5 min',
      value: state.calls_per_minute.toLocaleString(numberLocale()),
      unit: 'a minute',
      trend: 'calls_per_minute',
      now: state.calls_per_minute,
      colour: state.workers === 0 ? 'red' : 'plain',
    },
    'Carriers with problems': {
      note: `of ${state.connectors.length.toLocaleString(numberLocale())}`,
      value: troubled.toLocaleString(numberLocale()),
      unit: '',
      trend: 'troubled',
      now: troubled,
      colour: troubled > 0 ? 'amber' : 'plain',
    },
    'Failed refreshes': {
      note: 'last 15 min',
      value: failed.toLocaleString(numberLocale()),
      unit: '',
      trend: 'failed_refreshes',
      now: failed,
      colour: failed > 0 ? 'amber' : 'plain',
    },
    'Feed delay': {
      note: 'limit 30 s',
      value: late,
      unit: lateUnit,
      trend: 'feed_age_s',
      now: state.feed_age_s,
      colour: state.feed_age_s > maxFeedAgeS ? 'amber' : 'plain',
    },
  };
}

function factsOf(state: WireOperations): [string, ReactNode][] {
  const { count } = state.due;
  const isLate = state.delivery_age_s > maxDueAgeS;
  return [
    ['Due, not claimed', count >= maxCounted ? '10,000 or more' : count.toLocaleString(numberLocale())],
    [
      'Workers',
      <span key="workers" className={state.workers === 0 ? 'text-red' : ''}>{`${state.workers} running`}</span>,
    ],
    ['Event loop delay', loopDelayWords(state.loop_delay_ms)],
    ['Registrations', `${state.registrations_per_minute.toLocaleString(numberLocale())} in the last minute`],
    [
      'Oldest carrier delivery',
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
  const failed =
    failing === 0 ? `${enabled.toLocaleString(numberLocale())} enabled` : `${failing} of ${enabled} failing`;
  const retries = waiting >= maxCounted ? '10,000 or more' : waiting.toLocaleString(numberLocale());
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

/** Words for the event-loop delay of the processes, at the 99th percentile. */
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

/**
 * The trend of a number over 24 hours, with a dot at its present value. It breaks where no worker was running.
 * Decorative: the number stands beside it.
 */
function SparkLine({ values, colour }: { values: readonly (number | null)[]; colour: Colour }) {
  const max = Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE);
  const x = (index: number) => (values.length === 1 ? width - 5 : (index / (values.length - 1)) * (width - 6) + 1);
  const y = (value: number) => height - 4 - (value / max) * (height - 8);
  const steps = values.flatMap((value, index) => {
    if (value === null) return [];
    const isFirst = (values[index - 1] ?? null) === null;
    return [`${isFirst ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`];
  });
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={`min-w-0 max-w-28 max-sm:hidden ${lineColours[colour]}`}
    >
      <path d={`M0 ${height - 0.5}H${width}`} stroke="var(--line)" />
      <path
        d={steps.join('')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <circle cx={x(values.length - 1)} cy={y(values.at(-1) ?? 0)} r="2" fill="currentColor" />
    </svg>
  );
}
