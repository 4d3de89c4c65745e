import type { CarrierTime, Place, ReadEvent, Reading } from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { countryOfCity } from '#shared/places/find-city.ts';
import { child, children, type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
import { bareEvent } from '../reading/bare-event.ts';
import { newestOf, type ParcelSummary } from '../reading/fold-summary.ts';
import {
  expectedDelivery,
  type ParcelScan,
  parcelPlace,
  parcelReading,
  withDetails,
} from '../reading/parcel-reading.ts';
import { isEnd } from '../reading/present-use.ts';
import { readWindow } from '../reading/read-window.ts';
import { codeOfUps, type UpsStatus } from './ups-codes.ts';
import { detailOfUps } from './ups-status-detail.ts';
import { offsetOf, upsTime } from './ups-times.ts';

/** Parses one package of a Track v1 response: its activities and the expected delivery. */
export function readUpsPackage(parcel: LenientObject, source: string): Reading {
  const { items, unreadable } = listedItems(parcel, 'activity');
  const location = text(child(parcel, 'deliveryInformation'), 'location');
  const reads = items.map((item) => readActivity(item, location));
  const scans = reads.map(({ scan }) => scan);
  const route = { origin: endOf(parcel, 'ORIGIN'), destination: endOf(parcel, 'DESTINATION') };
  const { expected, unreadable: windows } = expectedOf(parcel, route.destination);
  const outlook = {
    expected,
    route,
    unreadable: windows,
    summary: summaryOf(parcel, route.destination),
    conflicts: reads.filter(({ isConflict }) => isConflict).length,
    isCodedEnd,
  };
  return parcelReading([...unreadable, ...withPaymentDue(scans, parcel)], outlook, source);
}

/** True if the type or the number of the activity states the end. `carrierCode` joins them: `D/011/KB`. */
function isCodedEnd({ carrierCode }: ReadEvent): boolean {
  const parts = carrierCode?.split('/') ?? [];
  const statusCode = parts.find((part) => /^\d{1,4}$/.test(part)) ?? null;
  return isEnd(codeOfUps({ type: parts[0] ?? null, statusCode, code: null, description: null }).code);
}

type ReadScan = { scan: ParcelScan; isConflict: boolean };

function unreadableScan(raw: unknown, reason: string): ReadScan {
  return { scan: { raw, reason }, isConflict: false };
}

function readActivity(raw: unknown, leftAt: string | null): ReadScan {
  const activity = readObject(raw);
  if (activity === null) return unreadableScan(raw, 'the activity is not an object');
  const location = upsPlace(child(child(activity, 'location'), 'address'));
  const date = text(activity, 'date') ?? text(activity, 'gmtDate');
  if (date === null) return unreadableScan(raw, 'date is missing');
  const time = activityTime(activity, location);
  if (time === null) return unreadableScan(raw, 'date and time are not a time');
  const status = child(activity, 'status');
  const type = text(status, 'type');
  const statusCode = text(status, 'statusCode');
  const letters = text(status, 'code');
  const description = text(status, 'description', 'simplifiedTextDescription');
  const written = { statusCode, type, code: letters, description };
  const { code, isConflict } = codeOfUps(written);
  const event = bareEvent({
    code,
    classifier: 'actual',
    time,
    location,
    mode: 'parcel',
    carrierCode: [type, statusCode, letters].filter((part) => part !== null).join('/') || null,
    carrierDescription: description,
    raw,
  });
  return { scan: withDetails(event, { statusDetail: detailOfUps(code, written, leftAt) }), isConflict };
}

/** The local time, or without a local date the time in GMT. */
function activityTime(activity: LenientObject, place: Place | null): CarrierTime | null {
  const date = text(activity, 'date');
  if (date !== null) return upsTime(date, text(activity, 'time'), { offset: offsetOf(activity), place });
  const [gmtDate, gmtTime] = [text(activity, 'gmtDate'), text(activity, 'gmtTime')];
  return gmtDate === null || gmtTime === null ? null : upsTime(gmtDate, gmtTime, { offset: 'Z', place });
}

/**
 * Reads UPS's current status of the package. Its `code` is the number if it has three digits. A delivery has its time
 * in `deliveryDate` and `deliveryTime`, of the type DEL.
 */
function summaryOf(parcel: LenientObject, place: Place | null): ParcelSummary | null {
  const status = child(parcel, 'currentStatus');
  const code = text(status, 'code');
  const written: UpsStatus = {
    statusCode: text(status, 'statusCode') ?? (/^\d{3}$/.test(code ?? '') ? code : null),
    type: text(status, 'type'),
    code,
    description: text(status, 'description', 'simplifiedTextDescription'),
  };
  const isDel = (each: LenientObject | null) => text(each, 'type')?.toUpperCase() === 'DEL';
  const date = text(children(parcel, 'deliveryDate').find(isDel) ?? null, 'date');
  const clock = child(parcel, 'deliveryTime');
  const delivered =
    date === null ? null : upsTime(date, isDel(clock) ? text(clock, 'endTime') : null, { offset: null, place });
  if (status === null && delivered === null) return null;
  const settled = status === null ? 'delivered' : codeOfUps(written).code;
  const isDelivered = settled === 'delivered' || settled === 'returned';
  return {
    code: settled,
    time: isDelivered ? delivered : null,
    location: isDelivered ? place : null,
    carrierCode: [written.type, code].filter((part) => part !== null).join('/') || 'DEL',
    carrierDescription: written.description,
    raw: { currentStatus: parcel.get('currentstatus') ?? null, deliveryDate: parcel.get('deliverydate') ?? null },
  };
}

/** UPS states an open payment of the package and not when it came up: the newest activity waits for it. */
function withPaymentDue(scans: readonly ParcelScan[], parcel: LenientObject): ParcelScan[] {
  const isOpen = children(parcel, 'paymentInformation').some((payment) => payment.get('paid') === false);
  const newest = newestOf(scans.filter((scan): scan is ReadEvent => !('reason' in scan)));
  const waits = ['delivery_attempted', 'available_for_pickup', 'exception', 'delayed', 'customs_hold'];
  if (!isOpen || newest === null || !waits.includes(newest.code)) return [...scans];
  const known = newest.details?.statusDetail;
  if (known !== undefined && known !== 'carrier_delay') return [...scans];
  return scans.map((scan) => (scan === newest ? withDetails(newest, { statusDetail: 'payment_due' }) : scan));
}

export function upsPlace(address: LenientObject | null): Place | null {
  const city = text(address, 'city');
  const state = text(address, 'stateProvince', 'stateOrProvinceCode');
  return parcelPlace({
    city,
    state,
    postalCode: text(address, 'postalCode'),
    country: text(address, 'countryCode', 'country') ?? countryOfCity(city, state),
  });
}

function endOf(parcel: LenientObject, type: 'ORIGIN' | 'DESTINATION'): Place | null {
  const end = children(parcel, 'packageAddress').find((each) => text(each, 'type')?.toUpperCase() === type);
  return upsPlace(child(end ?? null, 'address'));
}

const windowTypes = ['EDW', 'CDW', 'IDW'];

/**
 * SDD is the scheduled date. RDD replaces it: SDD is then the plan that was made first. DEL is the delivery itself,
 * which has its own activity. EDW, CDW and IDW are windows on the date that stands, CMT is a time by which UPS commits
 * to deliver, and EOD is the end of the day, without a time.
 */
function expectedOf(
  parcel: LenientObject,
  place: Place | null,
): { expected: ReadEvent[]; unreadable: UnreadableEvent[] } {
  const dates = children(parcel, 'deliveryDate');
  const dateOf = (type: string) =>
    text(dates.find((date) => text(date, 'type')?.toUpperCase() === type) ?? null, 'date');
  const untyped = dates.find((date) => text(date, 'type') === null) ?? null;
  const scheduled = dateOf('SDD') ?? text(untyped, 'date');
  const rescheduled = dateOf('RDD');
  const standing = rescheduled ?? scheduled;
  if (standing === null) return { expected: [], unreadable: [] };
  const raw = Object.fromEntries(
    ['deliveryDate', 'deliveryTime'].map((name) => [name, parcel.get(name.toLowerCase()) ?? null]),
  );
  const at = (date: string, clock: string | null) => upsTime(date, clock, { offset: null, place });
  const { time, window, unreadable } = standingTime(child(parcel, 'deliveryTime'), (clock) => at(standing, clock), raw);
  const first = rescheduled === null || scheduled === null ? null : at(scheduled, null);
  const carrierCode = rescheduled === null ? 'SDD' : 'RDD';
  const estimated = { classifier: 'estimated', place, carrierCode, window, raw } as const;
  const planned = { classifier: 'planned', place, carrierCode: 'SDD', raw } as const;
  return {
    expected: [
      ...(time === null ? [] : [expectedDelivery(time, estimated)]),
      ...(first === null ? [] : [expectedDelivery(first, planned)]),
    ],
    unreadable,
  };
}

function standingTime(written: LenientObject | null, at: (clock: string | null) => CarrierTime | null, raw: unknown) {
  const type = text(written, 'type')?.toUpperCase() ?? '';
  const clocked = (name: string) => {
    const clock = text(written, name);
    const time = clock === null ? null : at(clock);
    return time?.precision === 'date' ? null : time;
  };
  const end = clocked('endTime');
  if (!windowTypes.includes(type)) {
    return { time: (type === 'CMT' ? end : null) ?? at(null), window: null, unreadable: [] };
  }
  const { value: window, unreadable } = readWindow(clocked('startTime'), end, raw);
  const isWhole = unreadable.length === 0;
  return { time: (isWhole ? end : null) ?? at(null), window, unreadable };
}
