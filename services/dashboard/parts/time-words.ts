import { newerOffsetAt } from '#shared/domain/zone-rules.ts';
import { clockText, dayText } from './words/locale.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** `in 2 d`, `3 h ago`, `now`, `just now`. Minutes below one hour, hours below two days, then days. */
export function relativeWords(at: string, now: number): string {
  const distanceMs = Date.parse(at) - now;
  const words = spanWords(Math.abs(distanceMs));
  if (words === '0 min') return distanceMs > 0 ? 'now' : 'just now';
  return distanceMs > 0 ? `in ${words}` : `${words} ago`;
}

/** A duration in one unit: `12 min`, `9 h`, `4 d`. */
export function spanWords(spanMs: number): string {
  if (spanMs < hourMs) return `${Math.floor(spanMs / minuteMs)} min`;
  if (spanMs < 2 * dayMs) return `${Math.round(spanMs / hourMs)} h`;
  return `${Math.round(spanMs / dayMs)} d`;
}

/** `+31 h`, `−4 d`, `on time`. Hours below 48, else days. */
export function deltaWords(hours: number): string {
  const rounded = Math.round(hours);
  if (rounded === 0) return 'on time';
  const size = Math.abs(rounded) < 48 ? `${Math.abs(rounded)} h` : `${Math.round(Math.abs(rounded) / 24)} d`;
  return `${rounded > 0 ? '+' : '−'}${size}`;
}

/**
 * The delay in words, or `+8 d, not confirmed` if the ETA has passed and nobody has confirmed it. `onTime` is how the
 * carrier's promise is kept, which a window decides and not the hours. Null: unknown.
 */
export function delayWords(
  hours: number | null,
  overdueHours: number | null,
  onTime: string | null = null,
): string | null {
  if (overdueHours !== null) return `${overdueHours === 0 ? 'due' : deltaWords(overdueHours)}, not confirmed`;
  if (onTime === 'on_time') return 'on time';
  const words = hours === null ? null : deltaWords(hours);
  return (words === null || words === 'on time') && (onTime === 'late' || onTime === 'early') ? onTime : words;
}

/** `25 Apr 13:00` or `Apr 25 1:00 PM`, with the year unless it is the current one. `zone` is an IANA name; default: the viewer's. */
export function momentWords(
  at: string,
  { zone, now = Date.now(), seconds = false }: { zone?: string | null; now?: number; seconds?: boolean } = {},
): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const parts = partsOf(date, zone);
  return `${dayOf(parts, partsOf(new Date(now), zone).year)} ${clockOf(parts, seconds)}`;
}

/** `13:00` or `1:00 PM`. `zone` is an IANA name; default: the viewer's. */
export function clockWords(
  at: string,
  { zone = null, seconds = false }: { zone?: string | null; seconds?: boolean } = {},
): string {
  return clockOf(partsOf(new Date(at), zone), seconds);
}

function dayOf({ day = '', month = '', year = '' }: Parts, thisYear: string | undefined): string {
  return dayText({ day, month, ...(year === thisYear ? {} : { year }) });
}

function clockOf({ hour, minute, second }: Parts, seconds: boolean): string {
  return clockText(`${hour}:${minute}${seconds ? `:${second}` : ''}`);
}

/** Each locale has short zone names only for its own region. */
const zoneLocales = ['en-GB', 'en-US', 'en-AU', 'en-IN', 'en-NZ', 'en-ZA'];
/**
 * Common short names that no English locale has, of zones without daylight saving time. China and Taiwan have none
 * here: their CST is another time than North America's.
 */
const zoneNames: Record<string, string> = {
  'Asia/Hong_Kong': 'HKT',
  'Asia/Seoul': 'KST',
  'Asia/Tokyo': 'JST',
  'Asia/Singapore': 'SGT',
  'Asia/Kuala_Lumpur': 'MYT',
  'Asia/Bangkok': 'ICT',
  'Asia/Ho_Chi_Minh': 'ICT',
  'Asia/Saigon': 'ICT',
  'Asia/Dubai': 'GST',
};

/** The short name of the zone at that time, `CEST` or `PDT`; else `GMT+3`. */
export function zoneWords(at: string, zone?: string | null): string {
  const known = zone === null || zone === undefined ? undefined : zoneNames[zone];
  if (known !== undefined) return known;
  const newer = zone === null || zone === undefined ? null : newerOffsetAt(zone, Date.parse(at));
  if (newer !== null) return gmtWords(newer / 60_000);
  for (const locale of zoneLocales) {
    const name = zoneNameIn(locale, at, zone);
    if (!/^(GMT|UTC)[+-]/.test(name)) return name;
  }
  return zoneNameIn('en-GB', at, zone);
}

/** The offset of a zone in minutes: `GMT-7`. Browsers name new rules by the old ones: `PDT` in winter. */
function gmtWords(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const digits = rest === 0 ? `${hours}` : `${hours}:${String(rest).padStart(2, '0')}`;
  return minutes === 0 ? 'GMT' : `GMT${minutes < 0 ? '-' : '+'}${digits}`;
}

function zoneNameIn(locale: string, at: string, zone?: string | null): string {
  return (
    formatOf(locale, { ...timeZone(zone), timeZoneName: 'short' })
      .formatToParts(new Date(at))
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes longer than all its uses on a page. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** `25 Apr`, of a date or a time. */
export function dayWords(at: string, zone?: string | null, now: number = Date.now()): string {
  const date = at.length === 10 ? new Date(`${at}T00:00:00Z`) : new Date(at);
  const parts = partsOf(date, at.length === 10 ? 'UTC' : zone);
  return dayOf(parts, partsOf(new Date(now), zone).year);
}

/** The calendar day in a zone, `2026-04-15`. Default: the viewer's. */
export function dayIn(now: number, zone?: string | null): string {
  // Swedish dates are written as in ISO 8601.
  return formatOf('sv', { ...timeZone(zone), year: 'numeric', month: '2-digit', day: '2-digit' }).format(now);
}

type Parts = Record<string, string>;

function partsOf(date: Date, zone?: string | null): Parts {
  const format = formatOf('en-GB', {
    ...timeZone(zone),
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  return Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
}

function timeZone(zone: string | null | undefined): { timeZone?: string } {
  return zone === null || zone === undefined ? {} : { timeZone: zone };
}
