import type { ConnectorState, FailureCount, OperationsState } from './operations.ts';
import { isMeasured, isSlow } from './slow-carriers.ts';

/**
 * Reason why carriers seem slow or unreachable although the cause is this installation: the event loop of a process is
 * late, or all carriers are affected at once.
 */
export type Overload =
  | { why: 'event_loop'; process: 'API' | 'worker'; delayMs: number }
  | { why: 'all_carriers'; carriers: number };

/** From this event loop delay (p99), a process answers late and measures every carrier as slower than it is. */
export const maxLoopDelayMs = 250;
/** A single carrier that is slow says nothing about the others. */
const minCarriers = 2;

/** Null: this installation doesn't distort what it measures of the carriers. */
export function findOverload(state: OperationsState): Overload | null {
  const { api, worker } = state.loopDelayMs;
  if (worker !== null && worker >= maxLoopDelayMs) return { why: 'event_loop', process: 'worker', delayMs: worker };
  if (api >= maxLoopDelayMs) return { why: 'event_loop', process: 'API', delayMs: api };
  const measured = state.connectors.filter(isMeasured);
  const areAllAffected = measured.every(
    (one) => isSlow(one, state.connectors) || isWithoutResponse(one, state.failures),
  );
  return measured.length >= minCarriers && areAllAffected ? { why: 'all_carriers', carriers: measured.length } : null;
}

/** True when most calls fail and no response arrives: the network between us may be the cause. */
export function isWithoutResponse(one: ConnectorState, failures: readonly FailureCount[]): boolean {
  if (one.circuit === 'closed' && (one.requests - one.succeeded) * 2 < one.requests) return false;
  const own = failures.filter(({ connector, asked }) => connector === one.connector && asked);
  const [most] = own.toSorted((left, right) => right.refreshes - left.refreshes);
  return most?.reason === 'carrier_unreachable' && most.httpStatus === null;
}

/** The overload as a problem, in one or two sentences. */
export function overloadText(overload: Overload): string {
  if (overload.why === 'all_carriers')
    return (
      `All ${overload.carriers} polled carriers became slow or unreachable at the same time. The cause is this ` +
      'machine or its network.'
    );
  const { process, delayMs } = overload;
  const delay = delayMs < 1000 ? `${Math.round(delayMs)} ms` : `${(delayMs / 1000).toFixed(1)} s`;
  const effect =
    process === 'worker'
      ? 'Carriers seem slower than they are.'
      : 'Requests wait, and measured latencies are too high.';
  return `The ${process} is overloaded: its event loop is ${delay} late (p99). ${effect}`;
}
