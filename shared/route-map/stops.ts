import type { WirePlace } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { elapsedShare } from '#shared/domain/positions/estimate-share.ts';

type WireLeg = WireShipment['legs'][number];
type WireTimes = WireShipment['departure'];

/** A place of the journey, with the arrival and the departure. */
export type Stop = {
  key: string;
  place: WirePlace;
  /** Null at the first stop. */
  arrival: WireTimes | null;
  /** Delay of the arrival against its first promise. */
  delayHours: number | null;
  /** Null at the last stop. */
  departure: WireTimes | null;
  /** The leg that leaves here; null at the last stop and before a gap in the journey. */
  onward: WireLeg | null;
  state: 'left' | 'here' | 'ahead';
};

type Journey = {
  legs: readonly WireLeg[];
  origin: WirePlace | null;
  destination: WirePlace | null;
  departure: WireTimes;
  arrival: WireTimes & { delay_hours: number | null };
  delivery: Pick<WireTimes, 'actual'>;
};

const noArrival = { arrival: null, delayHours: null };

/** The stops of a journey in order; without legs, its origin and destination. */
export function stopsOf(journey: Journey): Stop[] {
  const stops: Omit<Stop, 'state'>[] = [];
  for (const leg of journey.legs) {
    const last = stops.at(-1);
    const from = leg.from;
    if (from !== null) {
      if (last !== undefined && isSamePlace(last.place, from))
        Object.assign(last, { departure: leg.departure, onward: leg });
      else
        stops.push({
          key: `${leg.sequence} from`,
          place: from,
          ...noArrival,
          departure: leg.departure,
          onward: leg,
        });
    }
    if (leg.to !== null)
      stops.push({
        key: `${leg.sequence} to`,
        place: leg.to,
        arrival: leg.arrival,
        delayHours: leg.delay_hours,
        departure: null,
        onward: null,
      });
  }
  if (stops.length === 0) {
    const { origin, destination } = journey;
    if (origin !== null)
      stops.push({ key: 'origin', place: origin, ...noArrival, departure: journey.departure, onward: null });
    if (destination !== null && (origin === null || !isSamePlace(origin, destination)))
      stops.push({
        key: 'destination',
        place: destination,
        arrival: journey.arrival,
        delayHours: journey.arrival.delay_hours,
        departure: null,
        onward: null,
      });
  }
  // Stops before the last one reached are passed, even if the carrier did not report them.
  const reached = stops.findLastIndex(({ arrival, departure }) => isDone(arrival) || isDone(departure));
  const furthest = isDone(journey.delivery) ? stops.length - 1 : reached;
  return stops.map((stop, index) => ({ ...stop, state: stateOf(stop, index, furthest) }));
}

/** The name of a place, else its code, else its coordinates. */
export function placeName(place: WirePlace | null): string {
  if (place === null) return '';
  return (
    place.name ??
    place.unlocode ??
    place.iata ??
    place.facility ??
    coordinateWords(place) ??
    place.country ??
    'Unknown place'
  );
}

/** The code of a place that also has a name. */
export function placeCode(place: WirePlace): string {
  return place.name === null ? '' : (place.iata ?? place.unlocode ?? '');
}

/** `48.7° N 158.5° E`; null without coordinates. */
export function coordinateWords({ lat, lng }: Pick<WirePlace, 'lat' | 'lng'>): string | null {
  if (lat === null || lng === null) return null;
  return `${Math.abs(lat).toFixed(1)}° ${lat < 0 ? 'S' : 'N'} ${Math.abs(lng).toFixed(1)}° ${lng < 0 ? 'W' : 'E'}`;
}

export function isSamePlace(left: WirePlace, right: WirePlace): boolean {
  return placeKey(left) === placeKey(right);
}

/** The elapsed share of a leg's time, 0 to 1; null before departure, after arrival, or without an expected arrival. */
export function shareOfTime(leg: WireLeg, now: number): { share: number; leftMs: number } | null {
  const ends = leg.arrival.estimated ?? leg.arrival.planned;
  if (leg.departure.actual === null || leg.arrival.actual !== null || ends === null) return null;
  const endsMs = Date.parse(ends.at);
  const share = elapsedShare(Date.parse(leg.departure.actual.at), endsMs, now);
  return share === null || share >= 1 ? null : { share, leftMs: endsMs - now };
}

/** The same for every mention of a place: its code, otherwise its name and country, otherwise its coordinates. */
export function placeKey(place: WirePlace): string {
  const { unlocode, iata, name, country, lat, lng } = place;
  return (
    unlocode ?? iata ?? (name === null ? `${country ?? ''}|${lat ?? ''}|${lng ?? ''}` : `${name}|${country ?? ''}`)
  );
}

function isDone(times: Pick<WireTimes, 'actual'> | null): boolean {
  return times?.actual !== null && times?.actual !== undefined;
}

function stateOf(stop: Omit<Stop, 'state'>, index: number, furthest: number): Stop['state'] {
  if (index > furthest) return 'ahead';
  return index < furthest || isDone(stop.departure) ? 'left' : 'here';
}
