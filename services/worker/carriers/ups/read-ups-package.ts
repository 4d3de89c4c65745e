import type { CarrierTime, Place, ReadEvent, Reading } from '#shared/domain/tracking/event.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { bareEvent } from '../bare-event.ts';
import { child, children, type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
import { expectedDelivery, type ParcelScan, parcelPlace, parcelReading } from '../parcel-reading.ts';
import { codeOfUps } from './ups-codes.ts';

const quarterHour = 15;

/** Parses one package of a Track v1 response: its activities and the expected delivery. */
export function readUpsPackage(parcel: LenientObject, source: string): Reading {
  const { items, setAside } = listedItems(parcel, 'activity');
  const scans = items.map(readActivity);
  return parcelReading([...setAside, ...scans], expectedOf(parcel), source);
}

function readActivity(raw: unknown): ParcelScan {
  const activity = readObject(raw);
  if (activity === null) return { raw, reason: 'the activity is not an object' };
  const location = placeOf(child(child(activity, 'location'), 'address'));
  const date = text(activity, 'date');
  if (date === null) return { raw, reason: 'date is missing' };
  const time = localTime(date, text(activity, 'time'), { offset: offsetOf(activity), place: location });
  if (time === null) return { raw, reason: 'date and time are not a time' };
  const status = child(activity, 'status');
  const type = text(status, 'type');
  const statusCode = text(status, 'statusCode');
  const code = text(status, 'code');
  const description = text(status, 'description', 'simplifiedTextDescription');
  return bareEvent({
    code: codeOfUps({ statusCode, type, code, description }),
    classifier: 'actual',
    time,
    location,
    mode: 'parcel',
    carrierCode: [type, statusCode, code].filter((part) => part !== null).join('/') || null,
    carrierDescription: description,
    raw,
  });
}

/** UPS sends digits only (`20210210`, `071356`) and may omit leading zeros. */
function localTime(
  date: string,
  time: string | null,
  context: { offset: string | null; place: Place | null },
): CarrierTime | null {
  const day = /^(\d{4})(\d{2})(\d{2})$/.exec(date)?.slice(1).join('-');
  if (day === undefined) return null;
  const clock = clockOf(time);
  const written = clock === null ? day : `${day}T${clock}${context.offset ?? ''}`;
  return carrierTime(written, { policy: 'localNoOffset', place: context.place });
}

function clockOf(time: string | null): string | null {
  const digits = time?.replaceAll(':', '') ?? '';
  if (!/^\d{1,6}$/.test(digits)) return null;
  return digits.padStart(6, '0').match(/\d{2}/g)?.join(':') ?? null;
}

/** The offset that UPS states, or else the difference between local time and GMT. */
function offsetOf(activity: LenientObject): string | null {
  const stated = text(activity, 'gmtOffset');
  if (stated !== null && /^[+-]\d{2}:?\d{2}$/.test(stated)) return stated;
  const local = wallMs(text(activity, 'date'), text(activity, 'time'));
  const gmt = wallMs(text(activity, 'gmtDate'), text(activity, 'gmtTime'));
  if (local === null || gmt === null) return null;
  const minutes = Math.round((local - gmt) / 60_000);
  if (minutes % quarterHour !== 0 || Math.abs(minutes) > 14 * 60) return null;
  const parts = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${minutes < 0 ? '-' : '+'}${parts.join(':')}`;
}

function wallMs(date: string | null, time: string | null): number | null {
  const clock = clockOf(time);
  if (date === null || clock === null) return null;
  const at = carrierTime(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${clock}Z`, {
    policy: 'assumeUtc',
    place: null,
  });
  return at === null ? null : Date.parse(at.at);
}

function placeOf(address: LenientObject | null): Place | null {
  return parcelPlace({
    city: text(address, 'city'),
    state: text(address, 'stateProvince'),
    country: text(address, 'countryCode', 'country'),
  });
}

/** SDD is the scheduled date and RDD its replacement. DEL is the delivery itself, which has its own activity. */
function expectedOf(parcel: LenientObject): ReadEvent[] {
  const dates = children(parcel, 'deliveryDate');
  const dated = ['RDD', 'SDD']
    .map((type) => dates.find((date) => text(date, 'type')?.toUpperCase() === type))
    .find((date) => date !== undefined);
  const date = text(dated ?? null, 'date');
  if (dated === undefined || date === null) return [];
  const destination = children(parcel, 'packageAddress').find(
    (each) => text(each, 'type')?.toUpperCase() === 'DESTINATION',
  );
  const place = placeOf(child(destination ?? null, 'address'));
  const window = child(parcel, 'deliveryTime');
  const hasEnd = ['EDW', 'CDW', 'IDW', 'CMT'].includes(text(window, 'type')?.toUpperCase() ?? '');
  const time = localTime(date, hasEnd ? text(window, 'endTime') : null, { offset: null, place });
  const carrierCode = text(dated, 'type') ?? '';
  const raw = Object.fromEntries(
    ['deliveryDate', 'deliveryTime'].map((name) => [name, parcel.get(name.toLowerCase()) ?? null]),
  );
  return time === null ? [] : [expectedDelivery(time, { classifier: 'estimated', place, carrierCode, raw })];
}
