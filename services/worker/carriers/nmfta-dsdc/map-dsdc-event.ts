import { cutText } from '#shared/domain/cut-text.ts';
import type { TransportMode } from '#shared/domain/shipments/transport-mode.ts';
import type { EventCode, LegRole, Place, ReadEvent, StatedRoute } from '#shared/domain/tracking/event.ts';
import { placeKey } from '#shared/domain/tracking/event-order.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { countryCode } from '#shared/places/country-codes.ts';
import { enrichPlace } from '#shared/places/find-place.ts';
import { bareEvent } from '../bare-event.ts';
import { child, decimal, type LenientObject, readObject, text } from '../lenient-object.ts';

/** An event, or a rejected one with the reason. */
export type DsdcEvent = ReadEvent | { raw: unknown; reason: string };

type Meaning = { code: EventCode; mode: TransportMode; description?: string };

/** The event types of In-Transit Visibility 1.0.0-public-preview. */
const meanings: Readonly<Record<string, Meaning>> = {
  PICKUP_SCHEDULED: { code: 'information_received', mode: 'road' },
  PICKUP_ATTEMPTED: { code: 'exception', mode: 'road', description: 'Pickup was attempted and failed' },
  PICKED_UP: { code: 'picked_up', mode: 'road' },
  ARRIVED_AT_TERMINAL: { code: 'arrived_at_facility', mode: 'road' },
  DEPARTED_TERMINAL: { code: 'departed_facility', mode: 'road' },
  IN_TRANSIT: { code: 'in_transit', mode: 'road' },
  DELAY: { code: 'delayed', mode: 'road' },
  EXCEPTION: { code: 'exception', mode: 'road' },
  CUSTOMS_HOLD: { code: 'customs_hold', mode: 'road' },
  CUSTOMS_CLEARED: { code: 'customs_released', mode: 'road' },
  OUT_FOR_DELIVERY: { code: 'out_for_delivery', mode: 'road' },
  DELIVERY_ATTEMPTED: { code: 'delivery_attempted', mode: 'road' },
  DELIVERED: { code: 'delivered', mode: 'road' },
  PROOF_OF_DELIVERY: { code: 'delivered', mode: 'road', description: 'Proof of delivery' },
  CANCELLED: { code: 'cancelled', mode: 'road' },
  GATE_IN: { code: 'gate_in_full', mode: 'road' },
  GATE_OUT: { code: 'gate_out_full', mode: 'road' },
  VESSEL_LOADED: { code: 'loaded', mode: 'ocean' },
  VESSEL_UNLOADED: { code: 'discharged', mode: 'ocean' },
  RAIL_ARRIVAL: { code: 'rail_arrived', mode: 'rail' },
  RAIL_DEPARTURE: { code: 'rail_departed', mode: 'rail' },
  AIR_DEPARTURE: { code: 'departed', mode: 'air' },
  AIR_ARRIVAL: { code: 'arrived', mode: 'air' },
  OTHER: { code: 'other', mode: 'road' },
};

/** Maps one event of the standard. Its times carry an offset; one without is local at the event's place. */
export function mapDsdcEvent(raw: unknown): DsdcEvent {
  const fields = readObject(raw);
  if (!fields) return { raw, reason: 'the event is not an object' };
  const type = text(fields, 'type')?.toUpperCase() ?? null;
  if (type === null) return { raw, reason: 'type is missing' };
  const meaning = Object.hasOwn(meanings, type) ? meanings[type] : undefined;
  const location = placeOf(child(fields, 'location'));
  const occurredAt = text(fields, 'occurredAt');
  const time = occurredAt === null ? null : carrierTime(occurredAt, { policy: 'localNoOffset', place: location });
  if (!time) return { raw, reason: occurredAt === null ? 'occurredAt is missing' : 'occurredAt is not a time' };
  const texts = [text(fields, 'notes'), text(fields, 'status'), text(child(fields, 'attributes'), 'reasonText')].filter(
    (each) => each !== null,
  );
  return bareEvent({
    code: meaning?.code ?? 'other',
    classifier: 'actual',
    legRole: roleOf(location, child(fields, 'shipment')),
    time,
    location,
    mode: meaning?.mode ?? null,
    delayReason: meaning?.code === 'delayed' ? text(child(fields, 'attributes'), 'reasonCode') : null,
    description: meaning?.description ?? null,
    carrierCode: type,
    carrierDescription: texts.length === 0 ? null : cutText(texts.join(': '), 500),
    sourceEventId: text(fields, 'eventId'),
    sourceCreatedAt: reportedAt(fields),
    raw,
  });
}

/** Where the carrier says that the shipment starts and ends, in the last event (by `sequence`) that says it. */
export function statedRoute(items: readonly unknown[]): StatedRoute | null {
  const shipment = child(lastWithShipment(items), 'shipment');
  const route = { origin: placeOf(child(shipment, 'origin')), destination: placeOf(child(shipment, 'destination')) };
  return route.origin === null && route.destination === null ? null : route;
}

/**
 * The plan in the shipment of the last event (by `sequence`). `startDate` and `endDate` are read as the planned pickup
 * and delivery, because the standard describes them only by their names.
 */
export function plannedEvents(items: readonly unknown[]): ReadEvent[] {
  const last = lastWithShipment(items);
  const shipment = child(last, 'shipment');
  const plan = (name: string, end: string, code: EventCode, legRole: LegRole): ReadEvent[] => {
    const location = placeOf(child(shipment, end));
    const written = text(shipment, name);
    const time = written === null ? null : carrierTime(written, { policy: 'localNoOffset', place: location });
    if (time === null || location === null || last === null) return [];
    const sourceCreatedAt = reportedAt(last);
    return [
      bareEvent({
        code,
        classifier: 'planned',
        legRole,
        time,
        location,
        mode: 'road',
        carrierCode: name,
        sourceCreatedAt,
        raw: last.get('shipment'),
      }),
    ];
  };
  return [
    ...plan('startDate', 'origin', 'picked_up', 'origin'),
    ...plan('endDate', 'destination', 'delivered', 'destination'),
  ];
}

function lastWithShipment(items: readonly unknown[]): LenientObject | null {
  const all = items
    .map((item) => readObject(item))
    .filter((fields) => fields !== null)
    .filter((fields) => child(fields, 'shipment') !== null);
  return all.reduce<LenientObject | null>(
    (best, fields) => (best !== null && sequenceOf(best) > sequenceOf(fields) ? best : fields),
    null,
  );
}

function sequenceOf(fields: LenientObject): number {
  return decimal(fields, 'sequence') ?? -1;
}

function reportedAt(fields: LenientObject): string | null {
  const written = text(fields, 'reportedAt');
  return written === null ? null : (carrierTime(written, { policy: 'offset', place: null })?.at ?? null);
}

/** The carrier states where the shipment starts and ends. */
function roleOf(location: Place | null, shipment: LenientObject | null): LegRole {
  const place = placeKey(location);
  const origin = placeKey(placeOf(child(shipment, 'origin')));
  const destination = placeKey(placeOf(child(shipment, 'destination')));
  if (place === null || origin === destination) return 'unknown';
  if (place === destination) return 'destination';
  return place === origin ? 'origin' : 'unknown';
}

/** The name is city and state, because American city names repeat. The facility's own name is separate. */
function placeOf(location: LenientObject | null): Place | null {
  const city = text(location, 'city');
  const state = text(location, 'state');
  const own = text(location, 'name');
  const name = city === null ? own : state === null ? city : `${city}, ${state}`;
  const lat = decimal(location, 'latitude');
  const lng = decimal(location, 'longitude');
  const isPoint =
    lat !== null && lng !== null && Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && (lat !== 0 || lng !== 0);
  if (name === null && !isPoint) return null;
  return enrichPlace({
    name,
    unlocode: null,
    iata: null,
    country: countryCode(text(location, 'country')),
    lat: isPoint ? lat : null,
    lng: isPoint ? lng : null,
    timezone: null,
    facility: (city === null ? null : own) ?? text(location, 'locationId'),
  });
}
