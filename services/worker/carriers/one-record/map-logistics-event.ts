import { flightNumber, fsuCode, fsuMeaning, isAboutFlight } from '#shared/domain/carriers/fsu-codes.ts';
import { cutText } from '#shared/domain/cut-text.ts';
import type { Classifier, Place, ReadEvent, Vehicle } from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { enrichPlace } from '#shared/places/find-place.ts';
import { child, children, decimal, type LenientObject, readObject, text } from '../lenient-object.ts';
import { bareEvent } from '../reading/bare-event.ts';
import { eventDetails } from './event-details.ts';
import { identifier, lastPart, plainJson } from './plain-json.ts';

/**
 * An event, or an unreadable one with the reason. `isPart`: it is about some of the pieces. `unreadable`: what of it could
 * not be read.
 */
export type LogisticsEvent =
  | { event: ReadEvent; isPart: boolean; unreadable: UnreadableEvent[] }
  | { raw: unknown; reason: string };

const classifiers: Readonly<Record<string, Classifier>> = {
  ACTUAL: 'actual',
  ESTIMATED: 'estimated',
  EXPECTED: 'estimated',
  PREDICTED: 'estimated',
  PLANNED: 'planned',
  REQUESTED: 'planned',
  SCHEDULED: 'planned',
};

/**
 * Maps one LogisticsEvent (ONE Record cargo ontology 3, https://onerecord.iata.org/ns/cargo). `placeOf` resolves a
 * place that the event references by IRI only. An event that can't be mapped is unreadable individually, with the reason.
 */
export function mapLogisticsEvent(raw: unknown, placeOf: (iri: string) => Place | null): LogisticsEvent {
  const fields = readObject(plainJson(raw));
  if (!fields) return { raw, reason: 'the event is not an object' };
  const written = identifier(fields, 'eventCode');
  if (written === null) return { raw, reason: 'eventCode is missing' };
  const carrierCode = fsuCode(written);
  const iri = locationIri(fields);
  const location = iri === null ? placeOfLocation(locationOf(fields)) : placeOf(iri);
  const eventDate = text(fields, 'eventDate');
  const time = eventDate === null ? null : carrierTime(eventDate, { policy: 'localNoOffset', place: location });
  if (!time) return { raw, reason: eventDate === null ? 'eventDate is missing' : 'eventDate is not a time' };
  const creationDate = text(fields, 'creationDate');
  const created =
    creationDate === null ? null : carrierTime(creationDate, { policy: 'localNoOffset', place: location });
  const type = identifier(fields, 'eventTimeType');
  // Without a classifier, a report created after the event is actual. One created before it could be a plan.
  const reported = created !== null && created.at >= time.at ? 'actual' : null;
  const classifier = type === null ? reported : (classifiers[classifierWord(type)] ?? null);
  if (classifier === null)
    return {
      raw,
      reason: type === null ? 'eventTimeType is missing' : `eventTimeType ${cutText(type, 40)} is unknown`,
    };

  const isPart =
    fields.get('partialeventindicator') === true || text(fields, 'partialEventIndicator')?.toLowerCase() === 'true';
  const { details, unreadable } = eventDetails(fields, carrierCode);
  const event = bareEvent({
    ...partMeaning(carrierCode, { isPart, isCounted: details?.piecesCount !== undefined }),
    classifier,
    time,
    location,
    mode: 'air',
    vehicle: isAboutFlight(carrierCode) ? vehicleOf(fields) : null,
    carrierCode,
    carrierDescription: text(fields, 'eventName'),
    sourceEventId: text(fields, '@id'),
    sourceCreatedAt: created?.at ?? null,
    ...(details === null ? {} : { details }),
    raw,
  });
  return { event, isPart, unreadable };
}

/** `…#ACTUAL`, `…#EventTimeType_ACTUAL`, `Actual` → `ACTUAL`. */
function classifierWord(type: string): string {
  return lastPart(type)
    .toUpperCase()
    .replace(/^EVENTTIMETYPE_/, '');
}

/** The IRI of a place that the event only references. Null when the event describes the place itself, or has none. */
export function locationIri(fields: LenientObject): string | null {
  const own = ownLocation(fields);
  if (typeof own === 'string') return own.includes(':') ? own : null;
  const location = readObject(own);
  const iri = text(location, '@id');
  return iri !== null && placeOfLocation(location) === null ? iri : null;
}

/** A Location of the ontology, by its IATA code or UN/LOCODE, or else by its name. Null when it has none of these. */
export function placeOfLocation(location: LenientObject | null): Place | null {
  if (location === null) return null;
  const address = child(location, 'address');
  const city = identifier(address, 'cityCode');
  const codes = [text(location, 'code'), ...codeTexts(location), city === null ? null : lastPart(city)]
    .filter((code) => code !== null)
    .map((code) => code.toUpperCase());
  const iata = codes.find((code) => /^[A-Z]{3}$/.test(code)) ?? null;
  const unlocode = codes.find((code) => /^[A-Z]{2}[A-Z2-9]{3}$/.test(code)) ?? null;
  const name = text(location, 'locationName') ?? text(address, 'city', 'cityName');
  if (iata === null && unlocode === null && name === null) return null;
  const point = child(location, 'geolocation');
  const lat = coordinate(point, 'latitude', 90);
  const lng = coordinate(point, 'longitude', 180);
  const country = lastPart(identifier(address, 'country') ?? '').toUpperCase();
  return enrichPlace({
    name,
    unlocode,
    iata,
    country: /^[A-Z]{2}$/.test(country) ? country : null,
    lat: lng === null ? null : lat,
    lng: lat === null ? null : lng,
    timezone: null,
    facility: null,
  });
}

/**
 * The delivery of a part must not count as that of the whole shipment. Parts of which the number of pieces is stated
 * are added up later; the others can't be.
 */
function partMeaning(
  carrierCode: string,
  { isPart, isCounted }: { isPart: boolean; isCounted: boolean },
): Pick<ReadEvent, 'code' | 'description'> {
  const meaning = fsuMeaning(carrierCode);
  if (!isPart) return meaning;
  const code = meaning.code === 'delivered' && !isCounted ? 'other' : meaning.code;
  return { code, description: meaning.description ?? 'Part of the shipment' };
}

/** The released standard calls it `recordedAtLocation`, the later ontology `eventLocation`. */
function ownLocation(fields: LenientObject): unknown {
  return fields.get('eventlocation') ?? fields.get('recordedatlocation');
}

/**
 * The airport that an IRI ends with (`…/logistics-objects/FRA`), for a link that leads nowhere. Null when it is not a
 * known one.
 */
export function airportNamedBy(iri: string): Place | null {
  const code = lastPart(iri);
  if (!/^[A-Z]{3}$/.test(code)) return null;
  const place = placeOfLocation(readObject({ code }));
  return place?.country === null || place === null ? null : place;
}

function locationOf(fields: LenientObject): LenientObject | null {
  const own = ownLocation(fields);
  return typeof own === 'string' ? readObject({ code: own }) : readObject(own);
}

/** `locationCodes` contains code list elements or plain codes. */
function codeTexts(location: LenientObject): (string | null)[] {
  const own = location.get('locationcodes') ?? location.get('locationcode');
  if (typeof own === 'string') return [own];
  const bare = Array.isArray(own) ? own.filter((item) => typeof item === 'string') : [];
  const elements = [...children(location, 'locationCodes'), ...children(location, 'locationCode')];
  return [...bare, ...elements.map((element) => text(element, 'code') ?? lastPart(text(element, '@id') ?? ''))];
}

function coordinate(point: LenientObject | null, name: string, max: number): number | null {
  const value =
    decimal(point, name) ?? decimal(child(point, name), 'numericalValue') ?? decimal(child(point, name), 'value');
  return value !== null && Math.abs(value) <= max ? value : null;
}

/** The flight: that of the event's transport movement, or else from the event's name (`… on flight LH8160`). */
function vehicleOf(fields: LenientObject): Vehicle | null {
  const about = child(fields, 'eventFor') ?? child(fields, 'linkedObject');
  const movements = [child(fields, 'transportMovementReference'), child(about, 'transportMovement'), about];
  const stated = movements.map((movement) => text(movement, 'transportIdentifier')).find((each) => each !== null);
  const named = /\b(?:flight|on)\s+([A-Z][A-Z0-9]\s?-?\d{1,4}[A-Z]?|\d[A-Z]\s?-?\d{1,4}[A-Z]?)\b/i.exec(
    text(fields, 'eventName') ?? '',
  );
  const flight = flightNumber(stated ?? null) ?? flightNumber(named?.[1] ?? null);
  return flight === null ? null : { name: null, imo: null, voyage: null, flight };
}
