import type { EventCode, Place, ReadEvent, Reading, StatedRoute } from '#shared/domain/events/event.ts';
import { placeKey } from '#shared/domain/events/place-key.ts';
import { child, type LenientObject, readObject, text } from '../lenient-object.ts';
import {
  airportNamedBy,
  type LogisticsEvent,
  locationIri,
  mapLogisticsEvent,
  placeOfLocation,
} from './map-logistics-event.ts';
import { lastPart, plainJson } from './plain-json.ts';
import { readShipment } from './read-shipment.ts';

/**
 * Reads a linked logistics object. Null when the server doesn't return it. `isNeeded`: a transient failure ends the
 * refresh.
 */
export type ReadLinked = (iri: string, options: { isNeeded: boolean }) => Promise<LenientObject | null>;

/** Maximum number of extra calls per refresh to resolve places that events only reference. */
const maxPlaces = 8;
/** These happen at a transshipment point unless the place is the origin or the destination. */
const betweenCodes: readonly EventCode[] = ['manifested', 'departed', 'arrived', 'received_from_flight', 'in_transit'];

type Fields = readonly (LenientObject | null)[];
type MappedEvent = Extract<LogisticsEvent, { event: ReadEvent }>;

/** The reading of a page of events, with the places, the waybill and the shipment that they reference. */
export async function readLogisticsEvents(
  object: string,
  items: readonly unknown[],
  readLinked: ReadLinked,
): Promise<Omit<Reading, 'source'>> {
  const fields = items.map((item) => readObject(plainJson(item)));
  const places = await findPlaces(fields, readLinked);
  const mapped: MappedEvent[] = [];
  const deliveries: LenientObject[] = [];
  const unreadable: Reading['unreadable'] = [];
  for (const [index, item] of items.entries()) {
    const result = mapLogisticsEvent(item, (iri) => places.get(iri) ?? null);
    if ('reason' in result) {
      unreadable.push(result);
      continue;
    }
    mapped.push(result);
    unreadable.push(...result.unreadable);
    const own = fields[index] ?? null;
    if (result.event.code === 'delivered' && result.event.classifier === 'actual' && own !== null) deliveries.push(own);
  }
  const waybill = await findWaybill(object, fields, readLinked);
  const shipment = await findShipment(waybill, fields, readLinked);
  const wholes = mapped.filter(({ event, isPart }) => !isPart && event.details?.piece === undefined);
  const { facts, unreadable: measures } = readShipment({
    waybill,
    shipment,
    wholes: wholes.map(({ event }) => event),
    deliveries,
  });
  const ends = endsOf(waybill);
  const isStated = ends.origin !== null || ends.destination !== null;
  return {
    events: settlePieces(mapped, facts?.piecesCount).map((event) => withRole(event, ends)),
    unreadable: [...unreadable, ...measures],
    ...(isStated ? { route: ends } : {}),
    ...(facts === undefined ? {} : { facts }),
  };
}

/**
 * Deliveries of some pieces add up to that of the shipment only if it is known how many there are: otherwise they are
 * information. A single piece that the events name is the shipment itself.
 */
function settlePieces(mapped: readonly MappedEvent[], total: number | undefined): ReadEvent[] {
  const named = new Set(mapped.map(({ event }) => event.details?.piece));
  named.delete(undefined);
  return mapped.map(({ event: { details, ...event }, isPart }) => {
    const { piece, ...rest } = details ?? {};
    const isUnknownPart = isPart && event.code === 'delivered' && total === undefined && piece === undefined;
    const code = isUnknownPart ? 'other' : event.code;
    const kept = piece === undefined || named.size === 1 ? rest : { piece, ...rest };
    return { ...event, code, ...(Object.keys(kept).length === 0 ? {} : { details: kept }) };
  });
}

/** Resolves places that events only reference, one call each. A place that can't be read stays unknown. */
async function findPlaces(fields: Fields, readLinked: ReadLinked): Promise<Map<string, Place | null>> {
  const iris = new Set(fields.map((each) => (each === null ? null : locationIri(each))).filter((iri) => iri !== null));
  const found = new Map<string, Place | null>();
  for (const [index, iri] of [...iris].entries()) {
    const linked = index < maxPlaces ? placeOfLocation(await readLinked(iri, { isNeeded: true })) : null;
    found.set(iri, linked ?? airportNamedBy(iri));
  }
  return found;
}

/**
 * The air waybill: the one that an event contains, if it names the destination, or else the logistics object itself.
 * Without its ends, the first airport that the cargo reaches would count as its last.
 */
async function findWaybill(object: string, fields: Fields, readLinked: ReadLinked): Promise<LenientObject | null> {
  for (const each of fields) {
    const about = aboutOf(each);
    const waybill = child(about, 'waybill') ?? about;
    if (endsOf(waybill).destination !== null) return waybill;
  }
  const waybill = await readLinked(object, { isNeeded: true });
  return child(waybill, 'waybill') ?? waybill;
}

/**
 * The shipment, for its pieces and weight: as the waybill or an event contains it, or else by one call. It only adds to
 * what is known, so a server that doesn't return it fails no refresh.
 */
async function findShipment(
  waybill: LenientObject | null,
  fields: Fields,
  readLinked: ReadLinked,
): Promise<LenientObject | null> {
  const own = waybill?.get('shipment');
  const abouts = fields.map(aboutOf).filter((about) => lastPart(text(about, '@type') ?? '') === 'Shipment');
  const candidates = [readObject(typeof own === 'string' ? { '@id': own } : own), ...abouts];
  const contained = candidates.find((each) => each?.has('totalgrossweight') || each?.has('pieces'));
  if (contained !== undefined) return contained;
  const link = candidates.map((each) => text(each, '@id')).find((iri) => iri?.includes(':')) ?? null;
  return link === null ? null : await readLinked(link, { isNeeded: false });
}

function aboutOf(fields: LenientObject | null): LenientObject | null {
  return child(fields, 'eventFor') ?? child(fields, 'linkedObject');
}

function endsOf(waybill: LenientObject | null): StatedRoute {
  return {
    origin: placeOfLocation(child(waybill, 'departureLocation')),
    destination: placeOfLocation(child(waybill, 'arrivalLocation')),
  };
}

function withRole(event: ReadEvent, route: StatedRoute): ReadEvent {
  const place = placeKey(event.location);
  const origin = placeKey(route.origin);
  const destination = placeKey(route.destination);
  if (place === null || destination === null) return event;
  if (place === destination) return { ...event, legRole: 'pod' };
  if (place === origin) return { ...event, legRole: 'pol' };
  return origin !== null && betweenCodes.includes(event.code) ? { ...event, legRole: 'transshipment' } : event;
}
