import type {
  CarrierTime,
  EventCode,
  EventDetails,
  Place,
  ReadEvent,
  Reading,
  StatedFacts,
  StatedRoute,
  TimeWindow,
} from '#shared/domain/events/event.ts';
import { compareText, eventTimeMs } from '#shared/domain/events/event-order.ts';
import { placeKey } from '#shared/domain/events/place-key.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { enrichPlace } from '#shared/places/find-place.ts';
import { splitAddress } from '#shared/places/split-address.ts';
import { settleZones } from '#shared/places/zones/settle-zones.ts';
import { FetchFailure } from '../fetch-failure.ts';
import { bareEvent } from './bare-event.ts';
import { foldSummary, type ParcelSummary } from './fold-summary.ts';
import { ofPresentUse } from './present-use.ts';

/** A parcel's event, or an unreadable one with the reason. */
export type ParcelScan = ReadEvent | UnreadableEvent;

/** The address fields that carriers send with a scan. */
export type ParcelAddress = {
  city: string | null;
  state: string | null;
  country: string | null;
  postalCode?: string | null;
};

const statesNamed = ['US', 'CA', 'AU', 'BR', 'MX'];
/** Codes about data of the parcel, not about the parcel itself. */
const dataCodes: readonly EventCode[] = ['information_received', 'cancelled'];
/** While a parcel waits at a facility, these codes mean handling there, not a departure. */
const leavingCodes: readonly EventCode[] = ['departed_facility', 'out_for_delivery', 'return_started'];

/**
 * The parcel's number in the form that carriers expect: upper case, without spaces and hyphens. Throws `FetchFailure`
 * when the shipment has none.
 */
export function trackingNumberOf(subject: Pick<RefreshSubject, 'identifiers'>): string {
  const number = subject.identifiers.tracking_number?.replace(/[\s\p{Pd}]/gu, '').toUpperCase() ?? '';
  if (number !== '') return number;
  throw new FetchFailure('wrong_identifier_type', 'this carrier requires a tracking number and the shipment has none', {
    permanent: true,
  });
}

/**
 * Converts an address to a place. The name includes the state where city names repeat. `TOKYO - JAPAN` stays as the carrier
 * writes it.
 */
export function parcelPlace(address: ParcelAddress): Place | null {
  const written = address.country?.toUpperCase() ?? '';
  const stated = /^[A-Z]{2}$/.test(written) ? written : null;
  const postalCode = address.postalCode ?? null;
  const { city, state, country } = splitAddress({ ...address, country: stated, postalCode });
  if (city === null && country === null) return null;
  const shown = state?.toUpperCase() ?? null;
  const isNamed = shown !== null && country !== null && statesNamed.includes(country);
  const isWhole = stated === null ? country !== null : / - /.test(address.city ?? '');
  const name = isWhole ? address.city : city !== null && isNamed ? `${city}, ${shown}` : city;
  const place = { name, unlocode: null, iata: null, country, lat: null, lng: null, timezone: null, facility: null };
  return enrichPlace(place, { state: shown, postalCode });
}

/**
 * A time that a parcel carrier writes, local where it has no offset. Midnight without an offset is a day: a system
 * filled in the clock.
 */
export function scanTime(written: string, place: Place | null): CarrierTime | null {
  const day = /^(\d{4}-\d{2}-\d{2})[T ]00:00(:00)?(\.0+)?$/.exec(written.trim())?.[1];
  return carrierTime(day ?? written, { policy: 'localNoOffset', place });
}

/** The same for a field that holds a date: midnight is a day even with an offset. */
export function dayOrTime(written: string, place: Place | null): CarrierTime | null {
  const day = /^(\d{4}-\d{2}-\d{2})T00:00(:00)?(\.0+)?\s*(Z|[+-]\d{2}:?\d{2})?$/.exec(written.trim())?.[1];
  return carrierTime(day ?? written, { policy: 'localNoOffset', place });
}

type Expected = {
  classifier: 'planned' | 'estimated';
  place: Place | null;
  carrierCode: string;
  carrierDescription?: string | null;
  window?: TimeWindow | null;
  raw: unknown;
};

/** The expected delivery as an event at the destination. */
export function expectedDelivery(time: CarrierTime, { place, window, ...event }: Expected): ReadEvent {
  const details = window ? { details: { window } } : {};
  return bareEvent({ code: 'delivered', time, location: place, mode: 'parcel', ...event, ...details });
}

/** The event with more details. Those that are undefined are left out. */
export function withDetails(
  event: ReadEvent,
  added: { [Name in keyof EventDetails]?: EventDetails[Name] | undefined },
): ReadEvent {
  const stated = Object.entries(added).filter(([, value]) => value !== undefined);
  return stated.length === 0 ? event : { ...event, details: { ...event.details, ...Object.fromEntries(stated) } };
}

/** Facts of a parcel's response beyond its scans. `unreadable`: the parts that could not be read. */
export type ParcelOutlook = {
  expected: readonly ReadEvent[];
  route: StatedRoute;
  facts?: StatedFacts | undefined;
  unreadable?: readonly UnreadableEvent[];
  /** The carrier's own summary of the parcel. */
  summary?: ParcelSummary | null;
  /** Number of scans whose words disagree with their code. */
  conflicts?: number;
  /** True for a scan whose code, without its words, states the end of the journey. Absent: for none. */
  isCodedEnd?: (scan: ReadEvent) => boolean;
};

const noneIsCoded = () => false;

/** Codes of a status that may have no time: a carrier doesn't date the label of a parcel that it doesn't have yet. */
const undatedCodes: readonly EventCode[] = ['other', 'information_received'];

/**
 * The reading of a parcel from its scans, expected delivery and addresses. A scan at the hub where the parcel is counts
 * as handling there, not as a step back to transit. A parcel that is delivered or back has no expected delivery.
 */
export function parcelReading(
  scans: readonly ParcelScan[],
  {
    expected,
    route,
    facts,
    unreadable: besideScans = [],
    summary = null,
    conflicts = 0,
    isCodedEnd = noneIsCoded,
  }: ParcelOutlook,
  source: string,
): Reading {
  const read: ReadEvent[] = [];
  const unreadable: Reading['unreadable'] = [...besideScans];
  for (const scan of scans) {
    if ('reason' in scan) unreadable.push(scan);
    else read.push(scan);
  }
  const events = foldSummary(ofPresentUse(read, isCodedEnd), summary);
  if (summary !== null && !undatedCodes.includes(summary.code) && events.length === 0)
    unreadable.push({ raw: summary.raw, reason: 'the status has no time' });
  const hasEnded = events.some((event) => event.code === 'delivered' || event.code === 'returned');
  const zoned = settleZones([...events, ...(hasEnded ? [] : expected)]);
  return {
    events: [...settleHubScans(afterData(zoned.slice(0, events.length))), ...zoned.slice(events.length)],
    unreadable,
    source,
    ...(route.origin === null && route.destination === null ? {} : { route }),
    ...(facts === undefined ? {} : { facts }),
    ...(conflicts === 0 ? {} : { codeConflicts: conflicts }),
  };
}

/** One reading of several pieces that were read apart. Each event names its piece. The first reading has the route. */
export function joinPieces(
  pieces: readonly { number: string; reading: Reading }[],
  facts: StatedFacts | undefined,
  source: string,
): Reading {
  const route = pieces[0]?.reading.route;
  const conflicts = pieces.reduce((sum, { reading }) => sum + (reading.codeConflicts ?? 0), 0);
  return {
    events: pieces.flatMap(({ number, reading }) =>
      reading.events.map((event) => withDetails(event, { piece: number })),
    ),
    unreadable: pieces.flatMap(({ reading }) => reading.unreadable),
    source,
    ...(route === undefined ? {} : { route }),
    ...(facts === undefined ? {} : { facts }),
    ...(conflicts === 0 ? {} : { codeConflicts: conflicts }),
  };
}

/**
 * A scan of which only the day is known comes after what happened to the parcel's data on that day: a label precedes
 * the pickup.
 */
function afterData(events: readonly ReadEvent[]): ReadEvent[] {
  const data = events.filter((event) => dataCodes.includes(event.code) && event.time.precision !== 'date');
  return events.map((event) => {
    if (event.time.precision !== 'date' || dataCodes.includes(event.code)) return event;
    const ofDay = data.filter((each) => each.time.local.startsWith(event.time.local)).map((each) => each.time.at);
    const at = [event.time.at, ...ofDay].sort(compareText).at(-1) ?? event.time.at;
    return { ...event, time: { ...event.time, at } };
  });
}

function settleHubScans(events: readonly ReadEvent[]): ReadEvent[] {
  const codes = new Map<ReadEvent, EventCode>();
  let hub: string | null = null;
  const ordered = [...events].sort(
    (left, right) => eventTimeMs(left) - eventTimeMs(right) || compareText(left.code, right.code),
  );
  for (const event of ordered) {
    const place = placeKey(event.location);
    if (event.code === 'arrived_at_facility') hub = place;
    else if (leavingCodes.includes(event.code)) hub = null;
    else if (event.code === 'in_transit' && hub !== null && place === hub) codes.set(event, 'arrived_at_facility');
    else if (place !== null && place !== hub) hub = null;
  }
  return events.map((event) => ({ ...event, code: codes.get(event) ?? event.code }));
}
