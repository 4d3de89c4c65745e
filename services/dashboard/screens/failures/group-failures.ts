import type { WireSummary } from '#shared/contract/record/shipment-schemas.ts';
import type { Overview } from '../shipments/overview.ts';
import { type Actor, failureWords } from './failure-words.ts';

export type FailedShipment = Pick<
  WireSummary,
  | 'shipment_id'
  | 'transport_mode'
  | 'carrier'
  | 'identifiers'
  | 'reference'
  | 'created_at'
  | 'tracking'
  | 'latest_event'
>;

/** Shipments with the same tracking state and reason. `count` is all of them, not only those that are loaded. */
export type FailureGroup = { key: string; state: string; reason: string | null; count: number };

const actorOrder: readonly Actor[] = ['you', 'landfall', 'carrier'];
const stateOrder = ['failed', 'degraded', 'awaiting_carrier'];

/**
 * The groups in the order of the page: what needs action from the user first, then the more serious state, then the
 * larger group. With `isNarrowed`, only shipments that need attention.
 */
export function groupFailures(failures: Overview['failures'], isNarrowed: boolean): FailureGroup[] {
  return failures
    .map(({ state, reason, count, needs_attention: needing }) => ({
      key: `${state} ${reason ?? ''}`.trim(),
      state,
      reason,
      count: isNarrowed ? needing : count,
    }))
    .filter(({ count }) => count > 0)
    .toSorted(
      (left, right) =>
        actorRank(left) - actorRank(right) ||
        stateOrder.indexOf(left.state) - stateOrder.indexOf(right.state) ||
        right.count - left.count ||
        left.key.localeCompare(right.key),
    );
}

/** Counts the shipments that are not tracked on schedule, and those among them that need attention. */
export function countFailures(failures: Overview['failures']): { all: number; needing: number } {
  return {
    all: failures.reduce((sum, { count }) => sum + count, 0),
    needing: failures.reduce((sum, { needs_attention: needing }) => sum + needing, 0),
  };
}

function actorRank({ reason }: FailureGroup): number {
  return actorOrder.indexOf(failureWords(reason).actor);
}
