import type { Truth } from '../carrier-route.ts';
import type { PlayedNow } from '../freight-world.ts';
import type { RoadJourney } from './road-journey.ts';

/** What happened to a shipment by road. */
export function roadTruth({ journey, startMs, virtualMs }: PlayedNow<RoadJourney>): Truth {
  const done = journey.milestones.filter(({ reportedMs }) => startMs + reportedMs <= virtualMs);
  const has = (type: string, city?: string) =>
    done.some((each) => each.type === type && (city === undefined || each.city.city === city));
  const status = has('DELIVERED')
    ? 'delivered'
    : has('OUT_FOR_DELIVERY')
      ? 'out_for_delivery'
      : has('ARRIVED_AT_TERMINAL', journey.destination.city)
        ? 'arrived'
        : has('PICKED_UP')
          ? 'in_transit'
          : done.length > 0
            ? 'booked'
            : 'pending';
  const events = done.map(({ type, city, atMs }) => ({
    code: type,
    at: new Date(startMs + atMs).toISOString(),
    place: city.city,
    container: null,
  }));
  return { status, events };
}
