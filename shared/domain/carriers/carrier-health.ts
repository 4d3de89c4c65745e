/** Recent responses of a carrier to an account. Times are ISO UTC. `failedSince`: failures after its last response. */
export type CarrierRefreshes = {
  answered: number;
  failed: number;
  failedSince: number;
  lastAnsweredAt: string | null;
  lastFailedAt: string | null;
  /** Shipments whose last refresh found nothing or failed. */
  waiting: number;
};

export const carrierHealthStates = ['unknown', 'healthy', 'degraded', 'down'] as const;
export type CarrierHealthState = (typeof carrierHealthStates)[number];

/** Consecutive failures after which a carrier counts as down. */
const failuresUntilDown = 3;
const degradedShare = 0.2;

/**
 * The state of a carrier from the refreshes of the last days: `unknown` without any, `down` when it no longer responds,
 * `degraded` when a fifth of the refreshes or the newest one failed.
 */
export function carrierHealthState(refreshes: CarrierRefreshes | null): CarrierHealthState {
  if (refreshes === null || refreshes.answered + refreshes.failed === 0) return 'unknown';
  if (refreshes.failedSince >= failuresUntilDown) return 'down';
  if (refreshes.failedSince > 0 || refreshes.failed >= degradedShare * (refreshes.answered + refreshes.failed))
    return 'degraded';
  return 'healthy';
}
