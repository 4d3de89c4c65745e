import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { RouteEstimate } from '#shared/route-map/estimate-on-route.ts';
import { coordinateWords, placeName, type Stop } from '#shared/route-map/stops.ts';
import { relativeWords } from '../../../parts/time-words.ts';
import { estimateWords } from '../../../parts/words/estimate-words.ts';
import { carrierMoment } from '../carrier-time.ts';

/** The route as text, for screen readers. */
export function routeWords(
  stops: readonly Stop[],
  { latest_event: latest, current_position: reported }: Pick<WireShipment, 'latest_event' | 'current_position'>,
  { estimate, now }: { estimate: RouteEstimate | null; now: number },
): string {
  const calls = stops.map(({ place, arrival, departure }) => {
    const times = [
      arrival?.actual ? `arrived ${carrierMoment(arrival.actual, now)}` : '',
      departure?.actual ? `left ${carrierMoment(departure.actual, now)}` : '',
    ].filter((part) => part !== '');
    const expected =
      times.length === 0
        ? (arrival?.estimated ?? arrival?.planned ?? departure?.estimated ?? departure?.planned ?? null)
        : null;
    if (expected !== null) times.push(`expected ${carrierMoment(expected, now)}`);
    return [placeName(place), ...times].join(', ');
  });
  const where = latest?.location ?? null;
  const lastSeen =
    where === null || latest === null
      ? ''
      : ` Last reported at ${where.name ?? coordinateWords(where) ?? placeName(where)}, ${relativeWords(latest.time.at, now)}.`;
  const position =
    reported === null ? '' : ` Position reported at ${coordinateWords(reported)}, ${relativeWords(reported.at, now)}.`;
  const estimated = estimate === null ? '' : ` ${estimateText(estimate, now)}`;
  return `Map of the route. ${calls.join('; ')}.${lastSeen}${position}${estimated}`;
}

/** Words for how the estimated position was computed. */
export function estimateText({ isOverdue, arrivesAt, to }: RouteEstimate, now: number): string {
  return estimateWords({ isOverdue, arrivesAt, to: placeName(to.place) }, now);
}
