import type { Freshness, TrackingState } from './shipment.ts';

/** Input of freshness. `staleInMs`: from now on. Null: it never becomes stale. */
export type FreshnessSubject = { state: TrackingState; lastSucceededAt: string | null; staleInMs: number | null };

/** Returns the freshness of a record. The store's SQL function `freshness` is the same rule. */
export function freshnessOf({ state, lastSucceededAt, staleInMs }: FreshnessSubject): Freshness {
  if (state === 'completed' || state === 'stopped') return 'final';
  if (lastSucceededAt === null) return 'never';
  return staleInMs !== null && staleInMs <= 0 ? 'stale' : 'fresh';
}
