import { localDay } from '../events/local-day.ts';
import type { Journey, Punctuality, Shipment } from '../record/shipment.ts';
import { arrivalOf } from './arrival.ts';
import { delayCausesOf } from './delay-causes.ts';
import { type FreeTimeOutcome, freeTimeOutcomeOf } from './free-time-outcome.ts';
import { laneCountry, laneEnd } from './lane.ts';

/** Rises when the same shipment gives other measures than before: then the measures of all shipments are made again. */
export const measuresShape = 1;

/** Measures that analytics keep of one shipment. Days are `2026-04-15`. */
export type ShipmentMeasures = {
  transportMode: string;
  carrier: string;
  /** The day of its registration, in UTC. */
  registeredDay: string;
  /** Whole minutes from the registration to when the first event was received. Null: there is none yet. */
  firstEventMinutes: number | null;
  /** By `laneEnd` and `laneCountry`. */
  origin: string;
  destination: string;
  originCountry: string;
  destinationCountry: string;
  /** ISO UTC. Null, like everything that follows: it has not arrived. */
  arrivedAt: string | null;
  /** The calendar day at the place of the arrival. */
  arrivedDay: string | null;
  onTime: Punctuality | null;
  transitHours: number | null;
  /** Of a late shipment, never empty; of any other, empty. */
  delayCauses: string[];
  freeTimeOutcome: FreeTimeOutcome | null;
};

export type MeasuredShipment = Pick<Shipment, 'transportMode' | 'carrier' | 'createdAt'> & {
  journey: Pick<
    Journey,
    | 'origin'
    | 'destination'
    | 'departure'
    | 'arrival'
    | 'delivery'
    | 'eta'
    | 'exceptions'
    | 'containers'
    | 'latestEvent'
  >;
};

/**
 * The measures of a shipment. `firstReceivedAt` (ISO UTC): when its first event was received. Pure, and of the record
 * alone: how often and in which order changes came makes no difference.
 */
export function shipmentMeasuresOf(shipment: MeasuredShipment, firstReceivedAt: string | null): ShipmentMeasures {
  const { transportMode, carrier, createdAt, journey } = shipment;
  const arrival = arrivalOf(journey, transportMode);
  const waitedMs = firstReceivedAt === null ? null : Date.parse(firstReceivedAt) - Date.parse(createdAt);
  return {
    transportMode,
    carrier,
    registeredDay: createdAt.slice(0, 10),
    firstEventMinutes:
      waitedMs === null || journey.latestEvent === null ? null : Math.max(0, Math.floor(waitedMs / 60_000)),
    origin: laneEnd(journey.origin),
    destination: laneEnd(journey.destination),
    originCountry: laneCountry(journey.origin),
    destinationCountry: laneCountry(journey.destination),
    arrivedAt: arrival?.time.at ?? null,
    arrivedDay: arrival && localDay(arrival.time),
    onTime: arrival?.onTime ?? null,
    transitHours: arrival?.transitHours ?? null,
    delayCauses: arrival?.onTime === 'late' ? delayCausesOf(journey.exceptions, arrival.time.at) : [],
    freeTimeOutcome: arrival && freeTimeOutcomeOf(journey),
  };
}
