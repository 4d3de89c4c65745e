import type { Place, Vehicle } from '../events/event.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import { endMsOf } from '../record/lateness.ts';
import type { Journey } from '../record/shipment.ts';
import type { Locate, MapPoint, MapPosition } from './map-places.ts';

type Located = Pick<Journey, 'currentLocation' | 'destination' | 'latestEvent' | 'legs' | 'arrival' | 'delivery'>;

/**
 * Returns the position of a shipment: its current place, or between the place that it left and the next one. The last
 * leg that was left and not completed decides; otherwise the latest event and the destination do. `locate` finds places
 * that are only named.
 */
export function positionOf(journey: Located, locate: Locate = () => null): MapPosition {
  const pointOf = (place: Place | null) => mapPoint(place, locate);
  const { currentLocation, destination, latestEvent, legs } = journey;
  const end = pointOf(destination);
  if (currentLocation !== null || latestEvent === null)
    return { from: pointOf(currentLocation), to: null, destination: end, moving: false };
  const leg = legUnderWay(legs);
  const legStart = pointOf(leg?.from ?? null);
  const legEnd = pointOf(leg?.to ?? null);
  const arrives = legEnd === null ? expectedAtEnd(journey) : (leg?.arrival.estimated ?? leg?.arrival.planned ?? null);
  return {
    from: legStart ?? pointOf(latestEvent.location),
    to: legEnd ?? end,
    destination: end,
    moving: true,
    departedAt: (legStart === null ? latestEvent.time.at : leg?.departure.actual?.at) ?? null,
    arrivesAt: arrives && new Date(endMsOf(arrives)).toISOString(),
  };
}

/** The ETA at the destination. Null once the arrival or delivery is reported. */
function expectedAtEnd({ arrival, delivery }: Located) {
  const arriving = arrival.actual === null ? (arrival.estimated ?? arrival.planned) : null;
  return arriving ?? (delivery.actual === null ? (delivery.estimated ?? delivery.planned) : null);
}

/** IMO number of the vessel that carries the shipment now. Null: none does, or its number is unknown. */
export function vesselUnderWay({ legs }: Pick<Journey, 'legs'>): string | null {
  const leg = legUnderWay(legs);
  const imo = leg?.mode === 'ocean' ? (leg.vehicle?.imo ?? null) : null;
  return imo !== null && /^\d{7}$/.test(imo) ? imo : null;
}

/** The vehicle of the leg under way, otherwise of the next leg, otherwise of the last one. */
export function currentVehicle({ legs }: Pick<Journey, 'legs'>): Vehicle | null {
  const leg = legUnderWay(legs) ?? legs.find(({ departure }) => departure.actual === null) ?? legs.at(-1);
  return leg?.vehicle ?? null;
}

function legUnderWay(legs: Journey['legs']): Journey['legs'][number] | undefined {
  return legs.findLast(({ departure, arrival }) => departure.actual !== null && arrival.actual === null);
}

/** Shipments with the same key are shown as one: on the way, those with the same times. Null: the position is unknown. */
export function mapKeyOf({ from, to, moving, departedAt, arrivesAt }: MapPosition, mode: TransportMode): string | null {
  if (from === null || !moving) return from?.key ?? null;
  const way = `${from.key}~${to?.key ?? ''}~${mode}`;
  return to !== null && departedAt && arrivesAt ? `${way}~${minuteOf(departedAt)}~${minuteOf(arrivesAt)}` : way;
}

function minuteOf(at: string): string {
  return Math.floor(Date.parse(at) / 60_000).toString(36);
}

/** Null: its position is unknown. */
function mapPoint(place: Place | null, locate: Locate): MapPoint | null {
  if (place === null) return null;
  const { unlocode, iata, lat, lng } = place;
  if (lat === null || lng === null) {
    const found = locate(place);
    return found && { key: `city_${around(found)}`, name: place.name, ...found, approximate: true };
  }
  return { key: unlocode ?? iata ?? around({ lat, lng }), name: place.name ?? unlocode ?? iata, lat, lng };
}

function around({ lat, lng }: { lat: number; lng: number }): string {
  return `${tenths(lat)}_${tenths(lng)}`;
}

/** About 11 km. Adding 0 turns -0 into 0. */
function tenths(degrees: number): string {
  return (Math.round(degrees * 10) / 10 + 0).toFixed(1);
}
