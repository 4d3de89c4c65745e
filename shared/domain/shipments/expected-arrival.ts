import type { CarrierTime } from '../tracking/event.ts';
import type { Journey } from './shipment.ts';

/**
 * When the cargo is expected at its end, in every mode: the estimated arrival, else the planned one, else, where no arrival is told at all (parcels
 * and trucks go to a door), the expected delivery. It stays after the arrival; null when nothing was ever expected.
 */
export function expectedArrival({ arrival, delivery }: Pick<Journey, 'arrival' | 'delivery'>): CarrierTime | null {
  return arrival.estimated ?? arrival.planned ?? (arrival.actual === null ? delivery.estimated : null);
}
