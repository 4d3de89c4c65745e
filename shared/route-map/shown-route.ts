import type { WireEvent, WirePlace } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { isOnlyNamed, type Locate } from '#shared/domain/lists/map-places.ts';
import { isLocated, type RouteExtras, type RouteLine, routeLine } from './route-line.ts';
import { placeKey, placeName, type Stop, stopsOf } from './stops.ts';

type Journey = Parameters<typeof stopsOf>[0] & Pick<WireShipment, 'delivery' | 'events' | 'latest_event' | 'return'>;

export type ShownRoute = {
  /** The stops of the map: those of the journey; without legs, also the places where the cargo was reported. */
  stops: Stop[];
  /** Null where fewer than two of several places can be placed. */
  line: RouteLine | null;
  /** Names of the stops without a known position. */
  unplaced: string[];
  /** Names of the drawn places that were found by their name alone. */
  approximate: string[];
};

const noTimes = { planned: null, estimated: null, actual: null };

/** The stops of the line below the map: of those where the cargo was only reported, the ends and where it is. */
export function lineStops(stops: readonly Stop[], hasLegs: boolean): Stop[] {
  return stops.filter(({ state }, index) => hasLegs || index === 0 || index === stops.length - 1 || state === 'here');
}

/** Returns the parts of a journey that a map of a shipment shows. */
export function shownRoute(journey: Journey, extras: RouteExtras = {}): ShownRoute {
  const { locate = () => null } = extras;
  const stops = journey.legs.length > 0 ? stopsOf(journey) : reportedStops(journey);
  const places = stops.map(({ place }) => place);
  const unplaced = places.filter((place) => !isLocated(place) && locate(place) === null);
  const isTooLittle = unplaced.length > 0 && stops.length - unplaced.length < 2;
  const seen = journey.latest_event?.location ?? null;
  const drawn = seen === null ? places : [...places, seen];
  const approximate = drawn.filter((place) => !isLocated(place) && locate(place) !== null);
  return {
    stops,
    line: isTooLittle ? null : routeLine(stops, journey.latest_event, extras),
    unplaced: [...new Set(unplaced.map(placeName))],
    approximate: isTooLittle ? [] : [...new Set(approximate.map(placeName))],
  };
}

/** The places of a shipment's map that are only named, each once: `locateIn` needs their points. */
export function namedPlaces(journey: Journey): (WirePlace & { name: string })[] {
  const stops = journey.legs.length > 0 ? stopsOf(journey) : reportedStops(journey);
  const seen = journey.latest_event?.location ?? null;
  const places = [...stops.map(({ place }) => place), ...(seen === null ? [] : [seen])];
  const named = places.filter(isOnlyNamed);
  return [...new Map(named.map((place) => [placeKey(place), place])).values()];
}

type FoundPlace = { name: string; country?: string | null | undefined; lat: number; lng: number };

/** Finds the named places that these are. */
export function locateIn(found: readonly FoundPlace[]): Locate {
  const points = new Map(found.map(({ name, country, lat, lng }) => [`${name}|${country ?? ''}`, { lat, lng }]));
  return (place) => (isOnlyNamed(place) ? (points.get(`${place.name}|${place.country ?? ''}`) ?? null) : null);
}

/**
 * The origin, the places where something happened in the order of the first visit, and the destination. Parcels and
 * many trucks have no legs.
 */
function reportedStops(journey: Journey): Stop[] {
  const ends = stopsOf(journey);
  const isBack = journey.return !== null;
  const visits = visitsOf(journey, isBack);
  const latest = visits.toSorted((left, right) => Date.parse(left.to.at) - Date.parse(right.to.at)).at(-1);
  if (latest === undefined) return ends;
  const isVisited = ({ place }: Stop) => visits.some((visit) => placeKey(visit.place) === placeKey(place));
  const isDelivered = journey.delivery.actual !== null;
  const origin = ends.filter((stop) => stop.key === 'origin' && !isVisited(stop) && !isBack);
  // Returned goods don't reach their destination.
  const destination = ends.filter((stop) => stop.key === 'destination' && !isVisited(stop) && (isDelivered || !isBack));
  const hasArrived = isDelivered && destination.length > 0;
  const end = ends.find(({ key }) => key === 'destination');
  const endTimes = end !== undefined && isKnown(end.arrival) ? end.arrival : journey.delivery;
  return [
    ...origin.map(
      (stop): Stop => ({ ...stop, departure: isKnown(stop.departure) ? stop.departure : null, state: 'left' }),
    ),
    ...visits.map((visit, index): Stop => {
      const isHere = visit === latest && !hasArrived;
      const isFirst = index === 0 && origin.length === 0;
      const isEnd = end !== undefined && !isBack && placeKey(visit.place) === placeKey(end.place);
      return {
        key: placeKey(visit.place),
        place: visit.place,
        arrival: isEnd ? endTimes : isFirst && !isHere ? null : { ...noTimes, actual: visit.from },
        delayHours: null,
        departure: visit.left === null || isHere ? null : { ...noTimes, actual: visit.left },
        onward: null,
        state: isHere ? 'here' : 'left',
      };
    }),
    ...destination.map((stop): Stop => ({ ...stop, arrival: endTimes, state: isDelivered ? 'here' : 'ahead' })),
  ];
}

function isKnown(times: Stop['departure']): boolean {
  return times !== null && [times.planned, times.estimated, times.actual].some((time) => time !== null);
}

type Time = WireEvent['time'];
/** The first and the last event at a place, and the last departure that was reported; null without one. */
type Visit = { place: WirePlace; from: Time; to: Time; left: Time | null };

const leavingCodes = ['departed', 'rail_departed', 'departed_facility'];

/** By the first visit; on the way back by the last one. A country alone is no place on the way. */
function visitsOf({ events, origin, destination }: Journey, isBack: boolean): Visit[] {
  const visits = new Map<string, Visit>();
  const happened = events.filter(
    ({ classifier, flags, superseded_by: by }) => classifier === 'actual' && flags.length === 0 && by === null,
  );
  for (const { code, location: place, time } of happened.toSorted(
    (left, right) => Date.parse(left.time.at) - Date.parse(right.time.at),
  )) {
    if (place === null || (!place.name && !place.unlocode && !place.iata && place.lat === null)) continue;
    const key = placeKey(place);
    const before = visits.get(key);
    if (isBack) visits.delete(key);
    visits.set(key, {
      place: located([place, before?.place ?? null, origin, destination], key) ?? place,
      from: before?.from ?? time,
      to: time,
      left: leavingCodes.includes(code) ? time : null,
    });
  }
  return [...visits.values()];
}

/** The mention of the place that has coordinates. */
function located(mentions: readonly (WirePlace | null)[], key: string): WirePlace | null {
  return mentions.find((place) => place !== null && place.lat !== null && placeKey(place) === key) ?? null;
}
