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
import type { ParcelSummary } from '../reading/fold-summary.ts';
import { dayOrTime, type ParcelScan, parcelPlace, parcelReading, scanTime } from '../reading/parcel-reading.ts';
import { isEnd } from '../reading/present-use.ts';
import { statedFacts } from '../reading/stated-facts.ts';
import { htmlText } from './html-text.ts';
import { readUspsExpectations } from './read-usps-expectations.ts';
import { codeOfUsps, codeOfUspsCategory, detailOfUsps } from './usps-codes.ts';

/** Parses the response with details: scans, expected delivery, and what is stated of the package. */
export function readUspsPackage(parcel: LenientObject, source: string): Reading {
  const { items, unreadable } = listedItems(parcel, 'trackingEvents');
  const reads = items.map(readScan);
  const scans = reads.map(({ scan }) => scan);
  const origin = endOf(parcel, 'origin');
  const destination = endOf(parcel, 'destination');
  const expected = readUspsExpectations(parcel, destination);
  const reading = parcelReading(
    [...unreadable, ...expected.unreadable, ...scans],
    {
      expected: expected.events,
      route: { origin, destination },
      summary: summaryOf(parcel, destination),
      conflicts: reads.filter(({ isConflict }) => isConflict).length,
      isCodedEnd: ({ carrierCode }) => isEnd(codeOfUsps(carrierCode, '').code),
    },
    source,
  );
  const facts = factsOf(parcel, reading.events, origin);
  return facts === undefined ? reading : { ...reading, facts };
}

/**
 * The package's category reports a delivery that no scan reports, because USPS has more codes than are published. The
 * sentence beside it has the time of that status.
 */
function summaryOf(parcel: LenientObject, place: Place | null): ParcelSummary | null {
  const category = text(parcel, 'statusCategory');
  const sentence = htmlText(text(parcel, 'statusSummary', 'status'));
  const code = codeOfUspsCategory(category);
  if (code === null) return null;
  return {
    code,
    time: timeOfSentence(sentence ?? '', place),
    location: place,
    carrierCode: category,
    carrierDescription: sentence,
    raw: { statusCategory: category, statusSummary: parcel.get('statussummary') ?? null },
  };
}

/** `... at 12:56 pm on March 2, 2026 in DENVER, CO 80204.` */
function timeOfSentence(sentence: string, place: Place | null): CarrierTime | null {
  const parts = /\bat (\d{1,2}):(\d{2}) ?([ap])\.?m\.? on ([A-Z][a-z]+ \d{1,2}, \d{4})\b/.exec(sentence);
  const day = parts === null ? Number.NaN : Date.parse(`${parts[4]} 00:00:00Z`);
  if (parts === null || Number.isNaN(day)) return null;
  const hour = (Number(parts[1]) % 12) + (parts[3] === 'p' ? 12 : 0);
  const clock = `${String(hour).padStart(2, '0')}:${parts[2]}:00`;
  return carrierTime(`${new Date(day).toISOString().slice(0, 10)}T${clock}`, { policy: 'localNoOffset', place });
}

type ReadScan = { scan: ParcelScan; isConflict: boolean };

function unreadableScan(raw: unknown, reason: string): ReadScan {
  return { scan: { raw, reason }, isConflict: false };
}

function readScan(raw: unknown): ReadScan {
  const scan = readObject(raw);
  if (scan === null) return unreadableScan(raw, 'the event is not an object');
  const location = placeOfScan(scan);
  const time = timeOf(scan, location);
  if (time === null) return unreadableScan(raw, 'eventTimestamp is missing or not a time');
  const eventCode = text(scan, 'eventCode');
  const words = htmlText(text(scan, 'eventType'));
  const statusDetail = detailOfUsps(eventCode, words ?? '');
  const details: EventDetails | null = statusDetail === null ? null : { statusDetail };
  const { code, isConflict } = codeOfUsps(eventCode, words ?? '');
  const read = bareEvent({
    code,
    classifier: 'actual',
    time,
    location,
    mode: 'parcel',
    carrierCode: eventCode,
    carrierDescription: words,
    ...(details === null ? {} : { details }),
    raw,
  });
  return { scan: read, isConflict };
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
  const isDated = written !== null && /\d{4}/.test(written);
  const isLocal = isDated && !/(Z|[+-]\d{2}:?\d{2})$/i.test(written);
  if (isLocal && offset !== null) return carrierTime(`${written}${offset}`, { policy: 'offset', place });
  const inGmt = gmt === null ? null : instantOf(gmt, offset, place);
  if (inGmt !== null && (isLocal || !isDated)) return inGmt;
  const only = isDated ? written : (written ?? gmt);
  return only === null ? null : scanTime(only, place);
}

/** The time in GMT, as a local time if USPS states its offset. */
function instantOf(gmt: string, offset: string | null, place: Place | null): CarrierTime | null {
  const whole = /(Z|[+-]\d{2}:?\d{2})$/i.test(gmt) ? gmt : `${gmt}Z`;
  const atMs = Date.parse(whole);
  if (offset === null || Number.isNaN(atMs)) return carrierTime(whole, { policy: 'offset', place });
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  const local = new Date(atMs + (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000);
  return carrierTime(`${local.toISOString().slice(0, 19)}${offset}`, { policy: 'offset', place });
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
