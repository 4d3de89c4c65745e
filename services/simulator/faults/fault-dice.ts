import { createRandom } from '../voyages/random.ts';
import type { Fault } from './faults.ts';

/** Faults by rate. Times are short, so that they cost a client seconds, not minutes. */
const thrown: readonly [Fault, ...Fault[]] = [
  { kind: 'too_many_requests', retryAfter: 'seconds', seconds: 1 },
  { kind: 'too_many_requests', retryAfter: 'date', seconds: 2 },
  { kind: 'too_many_requests', retryAfter: 'none', seconds: 0 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502 },
  { kind: 'status', status: 503 },
  { kind: 'slow_body', ms: 400 },
  { kind: 'drip', ms: 1500 },
  { kind: 'timeout', ms: 3000 },
  { kind: 'cut_connection' },
  { kind: 'reset' },
  { kind: 'endless_body' },
  { kind: 'html' },
  { kind: 'invalid_json' },
  { kind: 'truncated_json' },
  { kind: 'empty_body' },
  { kind: 'gzip_lie' },
  { kind: 'duplicates' },
  { kind: 'shuffled' },
  { kind: 'vanished_event' },
  { kind: 'shared_event_id' },
  { kind: 'missing_event_id' },
  { kind: 'time_without_offset' },
  { kind: 'local_time_stamped_utc' },
  { kind: 'number_for_string' },
  { kind: 'empty_strings' },
  { kind: 'unknown_event_type' },
  { kind: 'wrapper_object' },
  { kind: 'cursor_loop' },
  { kind: 'foreign_next_link' },
  { kind: 'token_expired' },
  { kind: 'secret_changed' },
];

/** Every kind of fault that the dice know. */
export const thrownKinds = [...new Set(thrown.map(({ kind }) => kind))];

/** A 429 that does not say for how long has a name of its own, as it stops a careful client for long. */
function nameOf(fault: Fault): string {
  return fault.kind === 'too_many_requests' && fault.retryAfter === 'none'
    ? 'too_many_requests_without_retry_after'
    : fault.kind;
}

export type FaultDice = {
  /** The fault of this request, or none. The same seed and the same requests give the same faults. */
  throw: (path: string, references: readonly string[]) => Fault | null;
  /** The share of answers with a fault, and which kinds; null: all. */
  set: (rate: number, kinds: readonly string[] | null) => void;
};

/** A fault for `rate` (0 to 1) of the answers. What a request gets depends on the seed, its path, its numbers and how often they were asked for. */
export function createFaultDice(seed: string, rate: number): FaultDice {
  const counts = new Map<string, number>();
  let current = { rate, faults: thrown };
  return {
    throw: (path, references) => {
      if (current.rate === 0) return null;
      const key = `${path} ${references.join(' ')}`;
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      const random = createRandom(seed, 'fault', key, String(count));
      return random.chance(current.rate) ? random.pick(current.faults) : null;
    },
    set: (nextRate, kinds) => {
      const [first, ...others] = thrown.filter((fault) => kinds === null || kinds.includes(nameOf(fault)));
      current = first ? { rate: nextRate, faults: [first, ...others] } : { rate: 0, faults: thrown };
    },
  };
}
