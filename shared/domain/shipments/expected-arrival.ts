import type { CarrierTime } from '../tracking/event.ts';
import type { Journey } from './shipment.ts';

/**
 * When the cargo is expected to arrive, in every mode: the estimated arrival, otherwise the planned one, otherwise the
 * expected delivery if no arrival was reported at all (parcels and trucks deliver to the door). Kept after the arrival.
 * Null: nothing was ever expected.
 */
export function expectedArrival({ arrival, delivery }: Pick<Journey, 'arrival' | 'delivery'>): CarrierTime | null {
  return arrival.estimated ?? arrival.planned ?? (arrival.actual === null ? delivery.estimated : null);
}
