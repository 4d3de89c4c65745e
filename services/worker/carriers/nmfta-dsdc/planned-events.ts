import type { EventCode, LegRole, ReadEvent, StatedRoute } from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { child, type LenientObject, readObject, text } from '../lenient-object.ts';
import { bareEvent } from '../reading/bare-event.ts';
import { readWindow } from '../reading/read-window.ts';
import { sequenceOf } from './dsdc-facts.ts';
import { placeOf, reportedAt, routeOf } from './dsdc-place.ts';

/**
 * The plan in the shipment of the last event (by `sequence`). `startDate` and `endDate` are read as the planned pickup
 * and delivery, because the standard describes them only by their names; the requested pickup counts until there is a
 * planned one. An appointment is when the delivery is expected.
 */
export function plannedEvents(items: readonly unknown[]): { events: ReadEvent[]; unreadable: UnreadableEvent[] } {
  const last = lastWith(items, hasShipment);
  if (last === null) return { events: [], unreadable: [] };
  const shipment = child(last, 'shipment');
  const pickup = text(shipment, 'startDate') === null ? 'requestedPickupDate' : 'startDate';
  const plans = [
    plan(last, { name: pickup, end: 'origin', code: 'picked_up', legRole: 'origin' }),
    plan(last, { name: 'endDate', end: 'destination', code: 'delivered', legRole: 'destination' }),
  ];
  const appointment = appointmentOf(items, shipment);
  return {
    events: [...plans, appointment.event].filter((event) => event !== null),
    unreadable: appointment.unreadable,
  };
}

/** Returns the start and the end of the shipment from the last event (by `sequence`) that states them. */
export function statedRoute(items: readonly unknown[]): StatedRoute | null {
  const route = routeOf(child(lastWith(items, hasShipment), 'shipment'));
  return route.origin === null && route.destination === null ? null : route;
}

type Plan = { name: string; end: 'origin' | 'destination'; code: EventCode; legRole: LegRole };

function plan(last: LenientObject, { name, end, code, legRole }: Plan): ReadEvent | null {
  const shipment = child(last, 'shipment');
  const location = placeOf(child(shipment, end));
  const written = text(shipment, name);
  const time = written === null ? null : carrierTime(written, { policy: 'localNoOffset', place: location });
  if (time === null || location === null) return null;
  return bareEvent({
    code,
    classifier: 'planned',
    legRole,
    time,
    location,
    mode: 'road',
    carrierCode: name,
    sourceCreatedAt: reportedAt(last),
    raw: last.get('shipment'),
  });
}

/**
 * The delivery appointment of the last event that has one, as the council's bill of lading (eBOL 1.0) names it. A
 * window that ends before it begins leaves the time.
 */
function appointmentOf(
  items: readonly unknown[],
  shipment: LenientObject | null,
): { event: ReadEvent | null; unreadable: UnreadableEvent[] } {
  const last = lastWith(items, (fields) => appointmentIn(fields) !== null);
  const appointment = appointmentIn(last);
  if (last === null || appointment === null) return { event: null, unreadable: [] };
  const location = placeOf(child(shipment, 'destination'));
  const timeOf = (name: string) => {
    const written = text(appointment, name);
    return written === null ? null : carrierTime(written, { policy: 'localNoOffset', place: location });
  };
  const [from, to] = [timeOf('start'), timeOf('end')];
  const { value: window, unreadable } = readWindow(from, to, Object.fromEntries(appointment));
  const time = window === null ? (from ?? to) : (to ?? from);
  if (time === null) return { event: null, unreadable };
  const event = bareEvent({
    code: 'delivered',
    classifier: 'estimated',
    legRole: 'destination',
    time,
    location,
    mode: 'road',
    carrierCode: 'appointment',
    sourceCreatedAt: reportedAt(last),
    ...(window === null ? {} : { details: { window } }),
    raw: last.get('attributes'),
  });
  return { event, unreadable };
}

function appointmentIn(fields: LenientObject | null): LenientObject | null {
  return child(child(child(fields, 'attributes'), 'appointmentDetails'), 'delivery');
}

function hasShipment(fields: LenientObject): boolean {
  return child(fields, 'shipment') !== null;
}

/** The last event by `sequence` for which this holds. */
function lastWith(items: readonly unknown[], holds: (fields: LenientObject) => boolean): LenientObject | null {
  const all = items
    .map((item) => readObject(item))
    .filter((fields) => fields !== null)
    .filter(holds);
  return all.reduce<LenientObject | null>(
    (best, fields) => (best !== null && sequenceOf(best) > sequenceOf(fields) ? best : fields),
    null,
  );
}
