import type {
  CarrierTime,
  EventDetails,
  PickupPoint,
  Place,
  ReadEvent,
  Reading,
  StatedFacts,
} from '#shared/domain/events/event.ts';
import { eventTimeMs } from '#shared/domain/events/event-order.ts';
import { countryCodeOf } from '#shared/domain/words/country-names.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { countryCode } from '#shared/places/country-codes.ts';
import { type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
import { bareEvent } from '../reading/bare-event.ts';
import { dayOrTime, type ParcelScan, parcelPlace, parcelReading } from '../reading/parcel-reading.ts';
import { statedFacts } from '../reading/stated-facts.ts';
import { htmlText } from './html-text.ts';
import { readUspsExpectations } from './read-usps-expectations.ts';
import { codeOfUsps, codeOfUspsCategory, detailOfUsps } from './usps-codes.ts';

/** Parses the response with details: scans, expected delivery, and what is stated of the package. */
export function readUspsPackage(parcel: LenientObject, source: string): Reading {
  const { items, unreadable } = listedItems(parcel, 'trackingEvents');
  const scans = withCategory(items.map(readScan), text(parcel, 'statusCategory'));
  const origin = endOf(parcel, 'origin');
  const destination = endOf(parcel, 'destination');
  const expected = readUspsExpectations(parcel, destination);
  const reading = parcelReading(
    [...unreadable, ...expected.unreadable, ...scans],
    { expected: expected.events, route: { origin, destination } },
    source,
  );
  const facts = factsOf(parcel, reading.events, origin);
  return facts === undefined ? reading : { ...reading, facts };
}

/**
 * The package's category reports a delivery that no scan reports, because USPS has more codes than are published. It is
 * about the newest scan, which USPS lists first.
 */
function withCategory(scans: readonly ParcelScan[], category: string | null): ParcelScan[] {
  const code = codeOfUspsCategory(category);
  const [first, ...others] = scans;
  const isStated = scans.some((scan) => !('reason' in scan) && scan.code === code);
  if (code === null || isStated || first === undefined || 'reason' in first || first.code !== 'other')
    return [...scans];
  return [{ ...first, code }, ...others];
}

function readScan(raw: unknown): ParcelScan {
  const scan = readObject(raw);
  if (scan === null) return { raw, reason: 'the event is not an object' };
  const location = placeOfScan(scan);
  const time = timeOf(scan, location);
  if (time === null) return { raw, reason: 'eventTimestamp is missing or not a time' };
  const eventCode = text(scan, 'eventCode');
  const words = htmlText(text(scan, 'eventType'));
  const statusDetail = detailOfUsps(eventCode, words ?? '');
  const details: EventDetails | null = statusDetail === null ? null : { statusDetail };
  return bareEvent({
    code: codeOfUsps(eventCode, words ?? ''),
    classifier: 'actual',
    time,
    location,
    mode: 'parcel',
    carrierCode: eventCode,
    carrierDescription: words,
    ...(details === null ? {} : { details }),
    raw,
  });
}

/**
 * `eventTimestamp` is local and has no zone. `GMTOffset` is its offset (`-7:00` or `-05:00`); without one, the time in
 * GMT counts, otherwise the local time at the place.
 */
function timeOf(scan: LenientObject, place: Place | null): CarrierTime | null {
  const written = text(scan, 'eventTimestamp');
  const gmt = text(scan, 'GMTTimestamp');
  const parts = /^([+-])(\d{1,2}):?(\d{2})$/.exec(text(scan, 'GMTOffset') ?? '');
  const offset = parts === null ? null : `${parts[1]}${parts[2]?.padStart(2, '0')}:${parts[3]}`;
  const isLocal = written !== null && !/(Z|[+-]\d{2}:?\d{2})$/i.test(written);
  if (isLocal && offset !== null) return carrierTime(`${written}${offset}`, { policy: 'offset', place });
  if (isLocal && gmt !== null) {
    const inGmt = carrierTime(gmt, { policy: 'offset', place });
    if (inGmt !== null) return inGmt;
  }
  const only = written ?? gmt;
  return only === null ? null : carrierTime(only, { policy: 'localNoOffset', place });
}

/** A sorting facility comes as one text: `JACKSONVILLE FL DISTRIBUTION CENTER`. */
const facilityPattern = /^(.{2,60}) ([A-Z]{2}) ((?:[A-Z]+ ){0,3}(?:CENTER|FACILITY|ANNEX|HUB))$/;

/** The country is named only outside the United States, by its name. */
function placeOfScan(scan: LenientObject): Place | null {
  const written = text(scan, 'eventCity');
  const state = text(scan, 'eventState');
  const named = text(scan, 'eventCountry');
  const known = countryCode(named) ?? countryCodeOf(named ?? '');
  if (named !== null && known === null) {
    const whole = [written, state, named].filter((part) => part !== null).join(', ');
    return parcelPlace({ city: whole, state: null, country: null });
  }
  if (written === null && named === null && state === null) return null;
  const facility = state === null && written !== null ? facilityPattern.exec(written) : null;
  const place = parcelPlace({
    city: facility?.[1] ?? written,
    state: facility?.[2] ?? state,
    country: known ?? 'US',
    postalCode: text(scan, 'eventZIP', 'eventZIPCode'),
  });
  return place === null || facility === null ? place : { ...place, facility: written };
}

function endOf(parcel: LenientObject, end: 'origin' | 'destination'): Place | null {
  const city = text(parcel, `${end}City`);
  const state = text(parcel, `${end}State`);
  const named = text(parcel, `${end}Country`, `${end}CountryCode`);
  const country = countryCode(named) ?? countryCodeOf(named ?? '');
  if (city === null && country === null) return null;
  const postalCode = text(parcel, `${end}ZIP`, `${end}ZIPCode`);
  return parcelPlace({ city, state, country: country ?? (state === null ? null : 'US'), postalCode });
}

function factsOf(parcel: LenientObject, events: readonly ReadEvent[], origin: Place | null): StatedFacts | undefined {
  const scans = events.filter(({ classifier }) => classifier === 'actual');
  const last = scans.toSorted((left, right) => eventTimeMs(left) - eventTimeMs(right)).at(-1);
  const delivery = scans.find(({ code }) => code === 'delivered');
  const returning = scans.find(({ code }) => code === 'return_started' || code === 'returned');
  const handover = readObject(delivery?.raw);
  return statedFacts({
    service: { code: text(parcel, 'serviceTypeCode'), name: serviceName(text(parcel, 'mailClass')) },
    receivedBy: htmlText(text(handover, 'name', 'firm')),
    leftAt: leftAtOf(delivery?.carrierDescription ?? ''),
    pickupPoint: last?.code === 'available_for_pickup' ? pickupPointOf(parcel, last) : null,
    returned:
      returning === undefined ? null : { reason: returning.carrierDescription, trackingNumber: null, to: origin },
  });
}

/** `Delivered, Front Door/Porch`: where it was left. `Delivered, Left with Individual`: it was not left anywhere. */
function leftAtOf(words: string): string | null {
  const place = /^Delivered, (.+)$/i.exec(words)?.[1] ?? null;
  return place === null || /^(left with|to |individual picked up)/i.test(place) ? null : place;
}

/** The specification lists names such as `PRIORITY_MAIL`. Responses have been seen with names for people. */
function serviceName(written: string | null): string | null {
  if (written === null || !/^[A-Z][A-Z_-]+$/.test(written)) return htmlText(written);
  return written.toLowerCase().replace(/(^|[_-])([a-z])/g, (_, before, letter) => {
    return `${before === '_' ? ' ' : before}${String(letter).toUpperCase()}`;
  });
}

/** Reads the place of collection. The package returns to the sender on `returnDateNotice`. */
function pickupPointOf(parcel: LenientObject, { location }: ReadEvent): PickupPoint {
  const until = text(parcel, 'returnDateNotice');
  const keptUntil = until === null ? null : dayOrTime(until, location);
  return { kind: 'post_office', id: null, name: null, address: null, place: location, hours: null, keptUntil };
}
