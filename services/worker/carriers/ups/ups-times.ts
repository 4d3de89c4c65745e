import type { CarrierTime, Place } from '#shared/domain/events/event.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { type LenientObject, text } from '../lenient-object.ts';

const quarterHour = 15;

/** UPS sends digits only (`20210210`, `071356`) and may omit leading zeros. */
export function upsTime(
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
export function offsetOf(activity: LenientObject): string | null {
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
