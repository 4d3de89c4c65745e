import { createRandom } from '../voyages/random.ts';
import type { Fault } from './faults.ts';

/** Faults by rate. Delays are short, so that a fault costs a client seconds, not minutes. */
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

/** Every kind of random fault. */
export const randomFaultKinds = [...new Set(thrown.map(({ kind }) => kind))];

/** A 429 without a retry time has a separate name, because it stops a careful client for much longer. */
function nameOf(fault: Fault): string {
  return fault.kind === 'too_many_requests' && fault.retryAfter === 'none'
    ? 'too_many_requests_without_retry_after'
    : fault.kind;
}

export type FaultDice = {
  /** The fault for this request, or null. The same seed and the same requests give the same faults. */
  throw: (path: string, references: readonly string[]) => Fault | null;
  /** Sets the share of faulty responses and the kinds of fault. Null: all kinds. */
  set: (rate: number, kinds: readonly string[] | null) => void;
};

/**
 * Injects a fault into `rate` (0 to 1) of the responses. The fault depends on the seed, the path, the numbers and the
 * count of earlier requests for them.
 */
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
