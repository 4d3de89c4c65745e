import type { CarrierTime, Place, ReadEvent, Reading } from '#shared/domain/tracking/event.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { bareEvent } from '../bare-event.ts';
import { child, children, type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
import { expectedDelivery, type ParcelScan, parcelPlace, parcelReading } from '../parcel-reading.ts';
import { codeOfFedex } from './fedex-codes.ts';

/**
 * Parses one track result: its scans (or the pickup and delivery dates when there are none) and the expected delivery.
 */
export function readFedexResult(result: LenientObject, source: string): Reading {
  const { items, setAside } = listedItems(result, 'scanEvents');
  const uniqueId = uniqueIdOf(result);
  const scans = items.length > 0 ? items.map((item) => readScan(item, uniqueId)) : datesAsScans(result, uniqueId);
  return parcelReading([...setAside, ...scans], expectedOf(result), source);
}

/** FedEx reuses its numbers. This id distinguishes the parcels with one number. */
export function uniqueIdOf(result: LenientObject): string | null {
  return text(child(result, 'trackingNumberInfo'), 'trackingNumberUniqueId');
}

/** The first date of these types in `dateAndTimes`, as FedEx wrote it. */
export function dateOf(result: LenientObject, ...types: string[]): string | null {
  const dates = children(result, 'dateAndTimes');
  for (const type of types) {
    const written = text(dates.find((date) => text(date, 'type')?.toUpperCase() === type) ?? null, 'dateTime');
    if (written !== null) return written;
  }
  return null;
}

function readScan(raw: unknown, uniqueId: string | null): ParcelScan {
  const scan = readObject(raw);
  if (scan === null) return { raw, reason: 'the scan is not an object' };
  const written = text(scan, 'date');
  if (written === null) return { raw, reason: 'date is missing' };
  const location = placeOf(child(scan, 'scanLocation'));
  const time = carrierTime(written, { policy: 'localNoOffset', place: location });
  if (time === null) return { raw, reason: 'date is not a time' };
  const carrierCode = text(scan, 'eventType')?.toUpperCase() ?? null;
  const words = [text(scan, 'eventDescription'), text(scan, 'exceptionDescription')].filter((part) => part !== null);
  // The only place of a scan for which FedEx states the role in the journey.
  const isAtDestination =
    carrierCode === 'FD' || text(scan, 'locationType')?.toUpperCase() === 'DESTINATION_FEDEX_FACILITY';
  const code = codeOfFedex(carrierCode ?? text(scan, 'derivedStatusCode'));
  return bareEvent({
    code,
    classifier: 'actual',
    legRole: isAtDestination && location !== null ? 'destination' : 'unknown',
    time,
    location,
    mode: 'parcel',
    delayReason: text(scan, 'exceptionCode'),
    carrierCode,
    carrierDescription: [...new Set(words)].join(': ') || null,
    sourceEventId: uniqueId,
    raw,
  });
}

const datedCodes = [
  ['ACTUAL_PICKUP', 'PU', 'origin'],
  ['ACTUAL_DELIVERY', 'DL', 'destination'],
] as const;

function datesAsScans(result: LenientObject, uniqueId: string | null): ParcelScan[] {
  return datedCodes.flatMap(([type, carrierCode, end]): ParcelScan[] => {
    const written = dateOf(result, type);
    if (written === null) return [];
    const raw = { type, dateTime: written };
    const location = end === 'origin' ? originOf(result) : destinationOf(result);
    const time = dayOrTime(written, location);
    if (time === null) return [{ raw, reason: `${type} is not a time` }];
    const code = codeOfFedex(carrierCode);
    return [
      bareEvent({
        code,
        classifier: 'actual',
        time,
        location,
        mode: 'parcel',
        carrierCode: type,
        sourceEventId: uniqueId,
        raw,
      }),
    ];
  });
}

/** The end of the window, or else the estimated date, and the delivery date promised at pickup. */
function expectedOf(result: LenientObject): ReadEvent[] {
  const place = destinationOf(result);
  const window = child(child(result, 'estimatedDeliveryTimeWindow'), 'window');
  const promises = [
    { classifier: 'planned', type: 'COMMITMENT', written: dateOf(result, 'COMMITMENT') },
    {
      classifier: 'estimated',
      type: 'ESTIMATED_DELIVERY',
      written:
        text(window, 'ends', 'begins') ??
        dateOf(result, 'ESTIMATED_DELIVERY', 'APPOINTMENT_DELIVERY', 'SCHEDULED_DELIVERY'),
    },
  ] as const;
  return promises.flatMap(({ classifier, type, written }) => {
    const time = written === null ? null : dayOrTime(written, place);
    return time === null
      ? []
      : [expectedDelivery(time, { classifier, place, carrierCode: type, raw: { type, dateTime: written } })];
  });
}

/** Midnight stands for the whole day: these fields are dates. */
function dayOrTime(written: string, place: Place | null): CarrierTime | null {
  const day = /^(\d{4}-\d{2}-\d{2})T00:00(:00)?(\.0+)?(Z|[+-]\d{2}:?\d{2})?$/.exec(written)?.[1];
  return carrierTime(day ?? written, { policy: 'localNoOffset', place });
}

function originOf(result: LenientObject): Place | null {
  return (
    placeOf(child(child(result, 'shipperInformation'), 'address')) ??
    placeOf(child(child(child(result, 'originLocation'), 'locationContactAndAddress'), 'address'))
  );
}

function destinationOf(result: LenientObject): Place | null {
  return (
    placeOf(child(result, 'lastUpdatedDestinationAddress')) ??
    placeOf(child(child(result, 'recipientInformation'), 'address')) ??
    placeOf(child(child(child(result, 'destinationLocation'), 'locationContactAndAddress'), 'address'))
  );
}

function placeOf(address: LenientObject | null): Place | null {
  return parcelPlace({
    city: text(address, 'city'),
    state: text(address, 'stateOrProvinceCode'),
    country: text(address, 'countryCode'),
  });
}
