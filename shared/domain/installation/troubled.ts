import { findOverload } from './find-overload.ts';
import type { ConnectorState, FailureCount, OperationsState } from './operations.ts';
import { isSlow, minCalls } from './slow-carriers.ts';

const unreliableShare = 0.1;

/** True when a carrier rejects credentials, is unavailable, fails often or rate-limits us. */
export function isTroubled(one: ConnectorState): boolean {
  const failing = one.requests >= minCalls && (one.requests - one.succeeded) / one.requests >= unreliableShare;
  return one.suspended > 0 || one.circuit !== 'closed' || failing || (one.closedForS ?? 0) > 0;
}

/**
 * The codes of the connectors that respond, but much later than usual or than the others. None while this installation
 * is overloaded.
 */
export function slowConnectors(state: OperationsState): ReadonlySet<string> {
  if (findOverload(state) !== null) return new Set();
  const { connectors } = state;
  return new Set(connectors.filter((one) => isSlow(one, connectors)).map(({ connector }) => connector));
}

/** The number of carriers with a problem. */
export function countTroubled(state: OperationsState): number {
  const slow = slowConnectors(state);
  return state.connectors.filter((one) => isTroubled(one) || slow.has(one.connector)).length;
}

/** Failed refreshes that called the carrier. A number that the carrier does not know yet is not a failure. */
export function countFailed(failures: readonly Pick<FailureCount, 'asked' | 'reason' | 'refreshes'>[]): number {
  return failures.reduce(
    (sum, { refreshes, asked, reason }) => (asked && reason !== 'carrier_not_found_yet' ? sum + refreshes : sum),
    0,
  );
}
