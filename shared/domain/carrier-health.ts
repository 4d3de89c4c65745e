/** How a carrier answered an account lately; moments are ISO UTC. `failedSince`: failures after its last answer. */
export type CarrierLooks = {
  answered: number;
  failed: number;
  failedSince: number;
  lastAnsweredAt: string | null;
  lastFailedAt: string | null;
  /** Shipments whose last look found nothing or failed. */
  waiting: number;
};

export const carrierHealthStates = ['unknown', 'healthy', 'degraded', 'down'] as const;
export type CarrierHealthState = (typeof carrierHealthStates)[number];

/** So many failures in a row, with no answer between them, are no accident. */
const failuresUntilDown = 3;
const degradedShare = 0.2;

/**
 * What the looks of the last days say of a carrier: `unknown` without any, `down` when it has not answered any more, `degraded` when every
 * fifth look failed or the newest one did.
 */
export function carrierHealthState(looks: CarrierLooks | null): CarrierHealthState {
  if (looks === null || looks.answered + looks.failed === 0) return 'unknown';
  if (looks.failedSince >= failuresUntilDown) return 'down';
  if (looks.failedSince > 0 || looks.failed >= degradedShare * (looks.answered + looks.failed)) return 'degraded';
  return 'healthy';
}
