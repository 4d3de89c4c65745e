import type { Shipment } from '../../api/landfall-client.ts';
import type { CarrierTime } from './carrier-time.ts';
import { placeName } from './route-stops.ts';

type Known = Pick<Shipment, 'arrival' | 'delivery' | 'destination' | 'events'>;
export type Arrival = { title: string; time: CarrierTime | null; kind: 'actual' | 'estimated' | 'planned' };

/** What the headline tells: the delivery once it is there, else the arrival, else the expected delivery of what goes to a door. */
export function arrivalOf({ arrival, delivery, destination }: Known, now: number): Arrival {
  const place = destination === null ? '' : ` in ${placeName(destination)}`;
  if (arrival.actual !== null) return { title: `Arrived${place}`, time: arrival.actual, kind: 'actual' };
  const expected = arrival.estimated ?? arrival.planned;
  if (expected !== null) {
    const title = Date.parse(expected.at) <= now ? `Was to arrive${place}` : `Arrives${place}`;
    return { title, time: expected, kind: arrival.estimated === null ? 'planned' : 'estimated' };
  }
  if (delivery.actual !== null) return { title: 'Delivered', time: delivery.actual, kind: 'actual' };
  if (delivery.estimated !== null) return { title: 'Delivery', time: delivery.estimated, kind: 'estimated' };
  return { title: `Arrives${place}`, time: null, kind: 'planned' };
}
