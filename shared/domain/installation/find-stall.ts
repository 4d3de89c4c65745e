import type { ConnectorState, OperationsState } from './operations.ts';

/** Without a completed refresh for this time, in seconds, refreshes have stopped. The sweep takes due ones each second. */
const maxStallS = 60;

export type RefreshFlow = Pick<OperationsState, 'completedAgeS'> & {
  connectors: readonly Pick<ConnectorState, 'dueOldestAgeS' | 'circuit' | 'budgetLeft'>[];
};

/**
 * Returns the time for which shipments have been due while no worker completed a refresh, in seconds. Null: refreshes
 * complete, nothing is due, or no worker runs. A connector whose circuit is open or whose budget is used up may wait.
 */
export function findStall({ completedAgeS, connectors }: RefreshFlow): number | null {
  const waits = connectors
    .filter(({ circuit, budgetLeft }) => circuit === 'closed' && (budgetLeft ?? 1) >= 1)
    .map(({ dueOldestAgeS }) => dueOldestAgeS ?? 0);
  const stalledS = Math.min(completedAgeS ?? 0, Math.max(0, ...waits));
  return stalledS >= maxStallS ? stalledS : null;
}
