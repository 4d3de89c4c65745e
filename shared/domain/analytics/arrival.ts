import type { CarrierTime } from '../events/event.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import { punctualityOf } from '../journey/delivery.ts';
import { delayHoursOf } from '../record/promised-times.ts';
import type { Journey, Punctuality } from '../record/shipment.ts';

/** The end of a voyage as analytics and filters count it. */
export type Arrival = {
  time: CarrierTime;
  /** Against the first promise. `unknown`: nothing was promised, or only the delivery was reported of an arrival. */
  onTime: Punctuality;
  /** Whole hours from the departure. Null: no departure is known before it. */
  transitHours: number | null;
};

export type ArrivingJourney = Pick<Journey, 'departure' | 'arrival' | 'delivery' | 'eta'>;

/** Modes that carry to the door: without an ETA, their end is the delivery. */
const doorModes: readonly TransportMode[] = ['parcel', 'road'];

/**
 * The actual arrival at the destination, or the delivery where that is what is expected (parcels, trucks). Of an
 * arrival that the carrier never reported, the delivery. Null: it has not arrived. Pure: the same events give the same
 * arrival in whatever order they came.
 */
export function arrivalOf(journey: ArrivingJourney, mode: TransportMode): Arrival | null {
  const { arrival, delivery, departure } = journey;
  const isByDelivery = (journey.eta?.kind ?? (doorModes.includes(mode) ? 'delivery' : 'arrival')) === 'delivery';
  const time = isByDelivery ? delivery.actual : (arrival.actual ?? delivery.actual);
  if (time === null) return null;
  const transitHours = delayHoursOf(departure.actual, time);
  return {
    time,
    onTime: isByDelivery ? delivery.onTime : arrivalPunctuality(arrival, mode),
    transitHours: transitHours !== null && transitHours >= 0 ? transitHours : null,
  };
}

function arrivalPunctuality(arrival: Journey['arrival'], mode: TransportMode): Punctuality {
  return arrival.actual === null ? 'unknown' : punctualityOf(arrival, { mode, status: 'arrived', promised: null });
}

/** The share of those that were early or on time among those with a known promise, 0 to 1. Null: none has one. */
export function onTimeShare({ early, onTime, late }: { early: number; onTime: number; late: number }): number | null {
  const known = early + onTime + late;
  return known === 0 ? null : (early + onTime) / known;
}
