import { useNow } from '../../parts/hooks/use-now.ts';
import { StandingMark } from '../../parts/marks.tsx';
import { dayWords, momentWords, relativeWords } from '../../parts/time-words.ts';
import { ageWords, durationWords, shareWords } from '../carriers/carrier-words.ts';
import { inTrouble, slowOf, worstFirst } from './answer-sentence.ts';
import type { WireConnector, WireOperations } from './operations-types.ts';
import { OutcomeBar } from './outcome-bar.tsx';

const lateFromS = 300;
const heads = [
  { name: 'Carrier', className: 'pl-4' },
  { name: 'State', className: '' },
  { name: 'Why', className: 'max-xl:hidden' },
  { name: 'Calls, last 5 min', className: 'max-md:hidden' },
  { name: 'Calls', className: 'text-right max-lg:hidden' },
  { name: 'Good', className: 'text-right' },
  { name: 'p95', className: 'text-right' },
  { name: 'Oldest', className: 'text-right max-lg:hidden' },
  { name: 'Due', className: 'text-right max-lg:hidden' },
  { name: 'Budget', className: 'pr-4! text-right max-lg:hidden' },
];

/** Every carrier that was asked or is to be asked, worst first. */
export function ConnectorTable({ state }: { state: WireOperations }) {
  const most = Math.max(...state.connectors.map(({ requests }) => requests), 1);
  const slow = slowOf(state.connectors);
  if (state.connectors.length === 0)
    return <p className="border-line border-b px-4 py-3 text-t2">No carrier has been asked in the last hour.</p>;
  return (
    <table className="w-full border-collapse text-body max-md:block">
      <thead className="max-md:sr-only">
        <tr className="h-8 border-line border-b text-left text-label text-t3">
          {heads.map(({ name, className }) => (
            <th key={name} scope="col" className={`pr-4 font-normal ${className}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {worstFirst(state.connectors).map((one) => (
          <Row key={one.connector} one={one} most={most} isSlow={slow.has(one.connector)} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ one, most, isSlow }: { one: WireConnector; most: number; isSlow: boolean }) {
  const now = useNow();
  const good = one.requests === 0 ? null : one.succeeded / one.requests;
  const { sign, word } = standing(one, isSlow);
  const none = <span className="text-t3">–</span>;
  return (
    <tr className="h-8 border-line border-b hover:bg-hover max-md:grid max-md:h-auto max-md:grid-cols-[1fr_64px_64px] max-md:px-4 max-md:py-2">
      <th scope="row" className="pr-4 pl-4 text-left font-medium max-md:col-span-3 max-md:pl-0">
        {one.name}
      </th>
      <td className="pr-4">
        <span className="flex items-center gap-2">
          <StandingMark sign={sign} />
          <span className={sign === 'good' ? 'text-t2' : ''}>{word}</span>
        </span>
      </td>
      <td className="max-w-72 truncate pr-4 max-xl:hidden">
        <span className={inTrouble(one) || isSlow ? '' : 'text-t2'}>{why(one, now, isSlow)}</span>
      </td>
      <td className="w-[240px] pr-4 max-md:hidden">
        <OutcomeBar one={one} most={most} />
      </td>
      <td className="pr-4 text-right tabular-nums max-lg:hidden">{one.requests.toLocaleString('en')}</td>
      <td className={`pr-4 text-right tabular-nums ${goodClasses(good)}`}>{good === null ? none : shareWords(good)}</td>
      <td
        className={`pr-4 text-right tabular-nums max-md:pr-0 ${isSlow ? 'text-amber' : 'text-t2'}`}
        title={one.usual_ms === null ? undefined : `usually ${durationWords(one.usual_ms)}`}
      >
        {one.latency_p95_ms === null ? none : durationWords(one.latency_p95_ms)}
      </td>
      <td
        className={`pr-4 text-right tabular-nums max-lg:hidden ${(one.due_oldest_age_s ?? 0) > lateFromS ? 'text-amber' : 'text-t2'}`}
      >
        {one.due_oldest_age_s === null ? none : ageWords(one.due_oldest_age_s)}
      </td>
      <td className="pr-4 text-right text-t2 tabular-nums max-lg:hidden">
        {one.due_count === 0 ? none : one.due_count.toLocaleString('en')}
      </td>
      <td className="pr-4 text-right text-t2 tabular-nums max-lg:hidden">
        {one.circuit === 'open'
          ? 'paused'
          : one.budget_left === null
            ? none
            : Math.floor(one.budget_left).toLocaleString('en')}
      </td>
    </tr>
  );
}

function standing(one: WireConnector, isSlow: boolean): { sign: 'bad' | 'warn' | 'good' | 'none'; word: string } {
  if (one.suspended > 0) return { sign: 'bad', word: 'Refuses us' };
  if (one.circuit === 'open') return { sign: 'bad', word: 'Not answering' };
  if (one.circuit === 'half_open') return { sign: 'warn', word: 'Tried again' };
  if ((one.closed_for_s ?? 0) > 0) return { sign: 'warn', word: 'Slowed down' };
  if (inTrouble(one)) return { sign: 'warn', word: 'Fails often' };
  if (isSlow) return { sign: 'warn', word: 'Slow' };
  return one.requests === 0 ? { sign: 'none', word: 'Not asked' } : { sign: 'good', word: 'Answering' };
}

const reasons: Record<string, string> = {
  carrier_unreachable: 'no answer',
  carrier_rate_limited: 'it asks to slow down',
  carrier_auth_failed: 'it refuses the credentials',
  unrecognized_response: 'its answers cannot be read',
  internal_error: 'a fault of ours',
};

function why(one: WireConnector, now: number, isSlow: boolean): string {
  if (one.suspended > 0)
    return `${one.suspended === 1 ? 'Its credentials are' : `${one.suspended} credentials are`} refused; replace them`;
  if ((one.closed_for_s ?? 0) > 0) return `Asked us to wait; asked again in ${ageWords(one.closed_for_s ?? 0)}`;
  const reason =
    one.last_error_reason === null
      ? ''
      : `: ${reasons[one.last_error_reason] ?? one.last_error_reason.replaceAll('_', ' ')}`;
  if (one.circuit !== 'closed') {
    return one.last_success_at === null
      ? `Never answered${reason}`
      : `No answer since ${sinceWords(one.last_success_at, now)}${one.last_error_reason === 'carrier_unreachable' ? '' : reason}`;
  }
  if (inTrouble(one))
    return `${(one.requests - one.succeeded).toLocaleString('en')} of ${one.requests.toLocaleString('en')} calls failed${reason}`;
  if (isSlow && one.usual_ms !== null) return `It answers, usually within ${durationWords(one.usual_ms)}`;
  if (isSlow) return 'It answers, far later than the others';
  return one.last_success_at === null ? '' : `Last answer ${relativeWords(one.last_success_at, now)}`;
}

/** The clock alone, of today. */
function sinceWords(at: string, now: number): string {
  const words = momentWords(at, { now });
  return dayWords(at) === dayWords(new Date(now).toISOString()) ? (words.split(' ').at(-1) ?? words) : words;
}

function goodClasses(good: number | null): string {
  if (good === null || good >= 0.99) return 'text-t2';
  return good < 0.95 ? 'text-red' : 'text-amber';
}
