import type { Shipment, Tracking } from '../shipments/shipment.ts';
import { completeJourney } from './complete-journey.ts';

/** Present since some later release than the first. */
type Later = 'overdueHours' | 'late' | 'needsAttention' | 'currentPosition';
type LaterTracking = 'mode' | 'staleAfterHours' | 'traceKept';

/** A shipment as any release has written it, e.g. into the answer that it kept for an Idempotency-Key. */
export type FormerShipment = Omit<Shipment, Later | 'tracking'> &
  Partial<Pick<Shipment, Later>> & { tracking: Omit<Tracking, LaterTracking> & Partial<Pick<Tracking, LaterTracking>> };

/** A shipment of an earlier release in its present form: what that release did not know is unknown. */
export function completeShipment(former: FormerShipment): Shipment {
  return {
    overdueHours: null,
    late: false,
    needsAttention: false,
    currentPosition: null,
    ...former,
    journey: completeJourney(former.journey, former.transportMode),
    tracking: { mode: 'polled', staleAfterHours: null, traceKept: false, ...former.tracking },
  };
}
