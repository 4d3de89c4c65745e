import { type City, cities } from '../road/cities.ts';
import { localTime } from '../voyages/local-time.ts';
import { pointBetween } from '../voyages/point-between.ts';
import { createRandom } from '../voyages/random.ts';
import type { Published } from './play.ts';

/** An own truck with a driver's telematics, from one city to another. It depends only on the seed and the number. */
export type TruckJourney = {
  number: string;
  truck: string;
  from: City;
  to: City;
  pickedUpMs: number;
  arrivedMs: number;
  deliveredMs: number;
  durationMs: number;
  startFraction: number;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A position each quarter of an hour, in the journey's own time. */
const positionEveryMs = 15 * minuteMs;

/** Plans the journey of a bill of lading of the own fleet. */
export function planTruckJourney(seed: string, number: string): TruckJourney {
  const key = `${seed}|truck|${number}`;
  const random = createRandom(key, 'journey');
  const left = [...cities];
  const take = (): City => left.splice(random.whole(0, left.length - 1), 1)[0] ?? cities[0];
  const [from, to] = [take(), take()];
  const whole = (ms: number) => Math.round(ms / minuteMs) * minuteMs;
  const pickedUpMs = whole(random.between(0.5, 2) * hourMs);
  const arrivedMs = pickedUpMs + whole(random.between(20, 44) * hourMs);
  const deliveredMs = arrivedMs + whole(random.between(0.5, 2) * hourMs);
  return {
    number,
    truck: `TRUCK ${random.whole(10, 99)}`,
    from,
    to,
    pickedUpMs,
    arrivedMs,
    deliveredMs,
    durationMs: deliveredMs + 10 * minuteMs,
    startFraction: createRandom(key, 'start').between(0.1, 0.4),
  };
}

/**
 * Returns the rows of the driver's device until `virtualMs`: events, and the latest position while the truck is on its
 * way.
 */
export function truckRows(
  journey: TruckJourney,
  { startMs, virtualMs }: { startMs: number; virtualMs: number },
): Published[] {
  const { number, truck, from, to, pickedUpMs, arrivedMs, deliveredMs } = journey;
  const base = { source_name: 'demo-telematics', shipment: { bol: number, carrier: 'OWN' } };
  const at = (atMs: number, zone: string) => localTime(startMs + atMs, zone);
  const event = (id: string, code: string, atMs: number, city: City): Published => {
    const vehicle = { name: truck, position: { lat: city.latitude, lng: city.longitude } };
    return {
      atMs,
      id,
      body: { ...base, code, time: { at: at(atMs, city.zone) }, location: locationOf(city), vehicle },
    };
  };
  const estimate: Published = {
    atMs: 0,
    id: 'eta',
    body: {
      ...base,
      code: 'delivered',
      classifier: 'estimated',
      time: { at: at(deliveredMs, to.zone) },
      location: locationOf(to),
    },
  };
  const events = [
    estimate,
    event('picked-up', 'picked_up', pickedUpMs, from),
    event('departed', 'departed_facility', pickedUpMs + 20 * minuteMs, from),
    event('arrived', 'out_for_delivery', arrivedMs, to),
    event('delivered', 'delivered', deliveredMs, to),
  ];
  const elapsedMs = Math.floor((virtualMs - startMs) / positionEveryMs) * positionEveryMs;
  if (elapsedMs <= pickedUpMs + 20 * minuteMs || elapsedMs >= arrivedMs) return events;
  const [lat, lng] = pointBetween(from, to, (elapsedMs - pickedUpMs) / (arrivedMs - pickedUpMs));
  const position = { lat, lng, at: at(elapsedMs, 'UTC') };
  return [
    ...events,
    {
      atMs: elapsedMs,
      id: `position-${elapsedMs / positionEveryMs}`,
      body: { ...base, vehicle: { name: truck, position } },
    },
  ];
}

const countries: Record<string, string> = { USA: 'US', CAN: 'CA', MEX: 'MX' };

function locationOf({ city, country, latitude, longitude }: City) {
  return { name: city, country: countries[country] ?? null, lat: latitude, lng: longitude };
}
