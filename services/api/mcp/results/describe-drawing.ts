import { listCityPoints } from '#shared/core/lists/read-map.ts';
import type { Place } from '#shared/domain/events/event.ts';
import { isOnlyNamed, type NamedPlace } from '#shared/domain/lists/map-places.ts';
import type { RecordEvent, Shipment } from '#shared/domain/record/shipment.ts';
import { describeEstimate } from './describe-times.ts';
import { detailedForms, maxEstimates } from './detail-forms.ts';
import { describeLeg } from './shipment-details.ts';
import { minuteText, type PlaceForm, placeText, withoutNulls } from './tool-result.ts';

const maxLegs = 12;
const maxPlaces = 40;
const placeForms: readonly PlaceForm[] = ['full', 'code', 'start'];

/**
 * What a view draws of a shipment beyond a concise result: the legs, the history of the ETA, and the coordinates of the
 * places by the texts that results use for them. `cities`: where its map draws places that are only named. `as_of` is
 * when it was read.
 */
export function describeDrawing(shipment: Shipment, events: readonly RecordEvent[], now = new Date()) {
  const { journey } = shipment;
  const places = [
    journey.origin,
    journey.destination,
    journey.currentLocation,
    journey.latestEvent?.location,
    ...journey.legs.slice(0, maxLegs).flatMap(({ from, to }) => [from, to]),
    ...events.map(({ location }) => location),
  ];
  return withoutNulls({
    as_of: minuteText(now.toISOString()),
    carrier_name: shipment.carrierName,
    legs: journey.legs.slice(0, maxLegs).map((leg) => describeLeg(leg, detailedForms[0])),
    eta_history: journey.etaHistory
      .slice(-maxEstimates)
      .map((entry) => ({ ...describeEstimate(entry), kind: entry.kind === 'delivery' ? 'delivery' : null })),
    places: pointsOf(places),
    cities: listCityPoints(namedOf(places)),
  }) as Record<string, unknown>;
}

/** `[latitude, longitude]` by text. The first place with a text keeps it: the main ones come first. */
function pointsOf(places: readonly (Place | null | undefined)[]): Record<string, [number, number]> {
  const points = new Map<string, [number, number]>();
  for (const place of places) {
    if (place?.lat == null || place.lng === null) continue;
    for (const form of placeForms) {
      const text = placeText(place, form);
      if (text === undefined || points.has(text) || points.size >= maxPlaces) continue;
      points.set(text, [rounded(place.lat), rounded(place.lng)]);
    }
  }
  return Object.fromEntries(points);
}

/** The places that have a name and no code, each once. */
function namedOf(places: readonly (Place | null | undefined)[]): NamedPlace[] {
  const named = new Map<string, NamedPlace>();
  for (const place of places) {
    if (place == null || !isOnlyNamed(place)) continue;
    const { name, country } = place;
    if (named.size < maxPlaces) named.set(`${name}|${country}`, { name, country });
  }
  return [...named.values()];
}

/** To about 100 metres. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1000) / 1000;
}
