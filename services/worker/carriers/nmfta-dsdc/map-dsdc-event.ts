import { cutText } from '#shared/domain/cut-text.ts';
import { entryOf } from '#shared/domain/entry-of.ts';
import type { EventCode, EventDetails, LegRole, Place, ReadEvent } from '#shared/domain/events/event.ts';
import { placeKey } from '#shared/domain/events/place-key.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { child, type LenientObject, readObject, text } from '../lenient-object.ts';
import { bareEvent } from '../reading/bare-event.ts';
import { measuresOf } from './dsdc-facts.ts';
import { placeOf, reportedAt, routeOf } from './dsdc-place.ts';
import { reasonInWords } from './reason-words.ts';

/** An event with what of it could not be read, or an unreadable one with the reason. */
export type DsdcEvent = { event: ReadEvent; unreadable: UnreadableEvent[] } | { raw: unknown; reason: string };

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
  const meaning = entryOf(meanings, type);
  const attributes = child(fields, 'attributes');
  const location = placeOf(child(fields, 'location'), text(attributes, 'terminalCode'));
  const occurredAt = text(fields, 'occurredAt');
  const time = occurredAt === null ? null : carrierTime(occurredAt, { policy: 'localNoOffset', place: location });
  if (!time) return { raw, reason: occurredAt === null ? 'occurredAt is missing' : 'occurredAt is not a time' };
  const isDelay = meaning?.code === 'delayed';
  const reasonCode = text(attributes, 'reasonCode');
  const reason = text(attributes, 'reasonText') ?? (isDelay ? null : reasonCode);
  const texts = [text(fields, 'notes'), text(fields, 'status'), reason].filter((each) => each !== null);
  const { measures, unreadable } = measuresOf(fields);
  const statusDetail = reasonInWords(type, texts);
  const details: EventDetails = { ...(statusDetail === null ? {} : { statusDetail }), ...measures };
  const event = bareEvent({
    code: meaning?.code ?? 'other',
    classifier: 'actual',
    legRole: roleOf(location, child(fields, 'shipment')),
    time,
    location,
    mode: meaning?.mode ?? null,
    delayReason: isDelay ? reasonCode : null,
    description: meaning?.description ?? null,
    carrierCode: type,
    carrierDescription: texts.length === 0 ? null : cutText(texts.join(': '), 500),
    sourceEventId: text(fields, 'eventId'),
    sourceCreatedAt: reportedAt(fields),
    ...(Object.keys(details).length === 0 ? {} : { details }),
    raw,
  });
  return { event, unreadable };
}

/** The carrier states where the shipment starts and ends. */
function roleOf(location: Place | null, shipment: LenientObject | null): LegRole {
  const place = placeKey(location);
  const route = routeOf(shipment);
  const origin = placeKey(route.origin);
  const destination = placeKey(route.destination);
  if (place === null || origin === destination) return 'unknown';
  if (place === destination) return 'destination';
  return place === origin ? 'origin' : 'unknown';
}
