import type { Delivery, Journey, PromisedTimes } from './shipment.ts';

/** A delivery of which only the times are known. */
export function bareDelivery(times: PromisedTimes): Delivery {
  return {
    ...times,
    window: null,
    onTime: 'unknown',
    attempts: 0,
    lastAttemptAt: null,
    receivedBy: null,
    leftAt: null,
    proof: [],
  };
}

/** The parts of a journey that only carriers of parcels and air freight state, all unknown. */
export const nothingStated = {
  statusDetail: null,
  service: null,
  weightKg: null,
  piecesCount: null,
  pieces: [],
  pickupPoint: null,
  returned: null,
} as const satisfies Partial<Journey>;
