import type { Truth } from '../carrier-route.ts';
import type { PlayedNow } from '../freight-world.ts';
import type { AirJourney } from './air-journey.ts';

/** What happened to an air waybill, of the statuses that its carrier tells. */
export function airTruth(
  { journey, startMs, virtualMs }: PlayedNow<AirJourney>,
  isTold: (code: string) => boolean,
): Truth {
  const done = journey.milestones.flatMap(({ code, station, actual }) =>
    actual !== null && isTold(code) && startMs + actual.publishedMs <= virtualMs
      ? [{ code, place: station.iata, at: new Date(startMs + actual.timeMs).toISOString(), container: null }]
      : [],
  );
  const has = (code: string, iata: string) => done.some((each) => each.code === code && each.place === iata);
  const { origin, destination } = journey;
  const status = has('DLV', destination.iata)
    ? 'delivered'
    : has('NFD', destination.iata)
      ? 'available_for_pickup'
      : has('ARR', destination.iata)
        ? 'arrived'
        : has('DEP', origin.iata)
          ? 'in_transit'
          : done.length > 0
            ? 'booked'
            : 'pending';
  return { status, events: done };
}
