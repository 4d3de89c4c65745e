import type { Shipment } from '../../api/landfall-client.ts';
import { relativeWords } from '../../parts/time-words.ts';
import { carrierMoment } from './carrier-time.ts';
import { coordinateWords, placeName, type Stop } from './route-stops.ts';

/** The route in words, for who does not see the map: the same as the stops below it say. */
export function routeWords(
  stops: readonly Stop[],
  { latest_event: latest }: Pick<Shipment, 'latest_event'>,
  now: number,
): string {
  const calls = stops.map(({ place, arrival, departure }) => {
    const told = [
      arrival?.actual ? `arrived ${carrierMoment(arrival.actual, now)}` : '',
      departure?.actual ? `left ${carrierMoment(departure.actual, now)}` : '',
    ].filter((part) => part !== '');
    const expected =
      told.length === 0
        ? (arrival?.estimated ?? arrival?.planned ?? departure?.estimated ?? departure?.planned ?? null)
        : null;
    if (expected !== null) told.push(`expected ${carrierMoment(expected, now)}`);
    return [placeName(place), ...told].join(', ');
  });
  const where = latest?.location ?? null;
  const seen =
    where === null || latest === null
      ? ''
      : ` Last seen ${where.name ?? coordinateWords(where) ?? placeName(where)}, ${relativeWords(latest.time.at, now)}.`;
  return `Map of the route. ${calls.join('; ')}.${seen}`;
}
