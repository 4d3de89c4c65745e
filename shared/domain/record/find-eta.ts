import type { Eta, PromisedTimes } from './shipment.ts';

/**
 * When the cargo is expected, in every mode: the estimated arrival, otherwise the planned one, otherwise the expected
 * delivery (parcels and trucks deliver to the door). Kept after it happened. Null: nothing was ever expected.
 */
export function findEta({ arrival, delivery }: { arrival: PromisedTimes; delivery: PromisedTimes }): Eta | null {
  const arriving = arrival.estimated ?? arrival.planned;
  if (arriving !== null) return { time: arriving, kind: 'arrival', source: arrival.source ?? 'carrier' };
  const delivering = delivery.estimated ?? delivery.planned;
  return delivering && { time: delivering, kind: 'delivery', source: delivery.source ?? 'carrier' };
}
