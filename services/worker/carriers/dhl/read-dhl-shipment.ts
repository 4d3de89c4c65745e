import type { Place, ReadEvent, Reading } from '#shared/domain/tracking/event.ts';
import { eventTimeMs } from '#shared/domain/tracking/event-order.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { bareEvent } from '../bare-event.ts';
import { child, type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
import { expectedDelivery, type ParcelScan, parcelPlace, parcelReading } from '../parcel-reading.ts';
import { codeOfDhl } from './dhl-codes.ts';

/** Parses one shipment of a response. Without a list of events, the shipment's status is its only event. */
export function readDhlShipment(shipment: LenientObject, source: string): Reading {
  const { items, setAside } = listedItems(shipment, 'events');
  const status = shipment.get('status');
  const isOnlyOne = items.length === 0 && text(readObject(status), 'timestamp') !== null;
  const raws = isOnlyOne ? [status] : items;
  const plain = new Set<ReadEvent>();
  const scans = raws.map((raw) => readEvent(raw, plain));
  return parcelReading([...setAside, ...withPickup(scans, plain)], expectedOf(shipment), source);
}

function readEvent(raw: unknown, plain: Set<ReadEvent>): ParcelScan {
  const event = readObject(raw);
  if (event === null) return { raw, reason: 'the event is not an object' };
  const written = text(event, 'timestamp');
  if (written === null) return { raw, reason: 'timestamp is missing' };
  const location = placeOf(child(child(event, 'location'), 'address'));
  const time = carrierTime(written, { policy: 'localNoOffset', place: location });
  if (time === null) return { raw, reason: 'timestamp is not a time' };
  const statusCode = text(event, 'statusCode');
  const status = text(event, 'status');
  const description = text(event, 'description');
  const { code, isRefined } = codeOfDhl(statusCode, [status, description].filter((part) => part !== null).join(' '));
  const read = bareEvent({
    code,
    classifier: 'actual',
    time,
    location,
    mode: 'parcel',
    carrierCode: statusCode,
    carrierDescription: description ?? status,
    raw,
  });
  if (!isRefined && code === 'in_transit') plain.add(read);
  return read;
}

/** DHL has no status for the pickup. The first scan in transit counts as the pickup unless its text says otherwise. */
function withPickup(scans: ParcelScan[], plain: ReadonlySet<ReadEvent>): ParcelScan[] {
  const moves = scans.filter(
    (scan): scan is ReadEvent => !('reason' in scan) && scan.carrierCode?.toLowerCase() === 'transit',
  );
  const firstMs = Math.min(...moves.map(eventTimeMs));
  const isFirst = (scan: ParcelScan) => !('reason' in scan) && plain.has(scan) && eventTimeMs(scan) === firstMs;
  return scans.map((scan): ParcelScan => (isFirst(scan) ? { ...scan, code: 'picked_up' } : scan));
}

/** The estimate if it is a single time, or else the end of the window. */
function expectedOf(shipment: LenientObject): ReadEvent[] {
  const frame = child(shipment, 'estimatedDeliveryTimeFrame');
  const written =
    text(shipment, 'estimatedTimeOfDelivery') ?? text(frame, 'estimatedThrough') ?? text(frame, 'estimatedFrom');
  if (written === null) return [];
  const place = placeOf(child(child(shipment, 'destination'), 'address'));
  const time = carrierTime(written, { policy: 'localNoOffset', place });
  const raw = { estimatedTimeOfDelivery: written };
  return time === null
    ? []
    : [expectedDelivery(time, { classifier: 'estimated', place, carrierCode: 'estimatedTimeOfDelivery', raw })];
}

function placeOf(address: LenientObject | null): Place | null {
  return parcelPlace({
    city: text(address, 'addressLocality'),
    state: text(address, 'addressRegion'),
    country: text(address, 'countryCode', 'addressCountry'),
  });
}
