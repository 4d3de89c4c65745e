/** How a carrier answered an account lately; moments are ISO UTC. `failedSince`: failures after its last answer. */
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

/** So many failures in a row, with no answer between them, are no accident. */
const failuresUntilDown = 3;
const degradedShare = 0.2;

/**
 * What the refreshes of the last days say of a carrier: `unknown` without any, `down` when it has not answered any more, `degraded` when every
 * fifth look failed or the newest one did.
 */
export function carrierHealthState(refreshes: CarrierRefreshes | null): CarrierHealthState {
  if (refreshes === null || refreshes.answered + refreshes.failed === 0) return 'unknown';
  if (refreshes.failedSince >= failuresUntilDown) return 'down';
  if (refreshes.failedSince > 0 || refreshes.failed >= degradedShare * (refreshes.answered + refreshes.failed))
    return 'degraded';
  return 'healthy';
}
