import { momentWords, relativeWords, zoneWords } from '../../parts/time-words.ts';
import { clockText, dayText } from '../../parts/words/locale.ts';

/** A carrier's time as the API returns it. */
export type CarrierTime = {
  at: string;
  local: string;
  timezone: string | null;
  zone_source: string;
  precision: string;
};

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The local day of the place, `25 Apr`, with the year unless it is the current one. */
export function carrierDay(time: CarrierTime, now: number): string {
  const [year = '', month = '', day = ''] = time.local.slice(0, 10).split('-');
  const isThisYear = year === String(new Date(now).getFullYear());
  return dayText({
    day: String(Number(day)),
    month: months[Number(month) - 1] ?? month,
    ...(isThisYear ? {} : { year }),
  });
}

/** The local clock time of the place, `13:00`; empty when the carrier gave only a day. */
export function carrierClock(time: CarrierTime): string {
  return time.precision === 'date' ? '' : clockText(time.local.slice(11, 16));
}

/** The time zone of that clock, `PDT`; empty when the carrier gave only a day. */
export function carrierZone(time: CarrierTime): string {
  if (time.precision === 'date') return '';
  if (time.timezone !== null) return zoneWords(time.at, time.timezone);
  return time.zone_source === 'assumed_utc' ? 'UTC' : offsetWords(time);
}

/** `25 Apr 13:00 PDT`. */
export function carrierMoment(time: CarrierTime, now: number): string {
  return [carrierDay(time, now), carrierClock(time), carrierZone(time)].filter((part) => part !== '').join(' ');
}

/** Tooltip of a time: the distance from now, and the same moment in the viewer's time zone. */
export function viewerWords(time: CarrierTime, now: number): string {
  const far = relativeWords(time.at, now);
  if (time.precision === 'date') return `${far} · no time of day reported`;
  const assumed = time.zone_source === 'assumed_utc' ? ' · no time zone reported, UTC assumed' : '';
  return `${far} · ${momentWords(time.at, { now })} ${zoneWords(time.at)} your time${assumed}`;
}

function offsetWords(time: CarrierTime): string {
  const minutes = Math.round((Date.parse(`${time.local.slice(0, 16)}Z`) - Date.parse(time.at)) / 60_000);
  if (!Number.isFinite(minutes)) return '';
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `GMT${minutes > 0 ? '+' : '−'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}
