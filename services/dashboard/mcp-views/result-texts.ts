import type { WirePlace, WireTime } from '#shared/contract/record/shipment-parts.ts';

/** `[latitude, longitude]` of places by the texts that results use for them. */
export type Points = Readonly<Record<string, readonly [number, number]>>;

/**
 * The time of a result: `2026-04-15T08:00+08:00` at its place, without an offset if the zone is unknown, or only a date.
 * Null if it is none of these.
 */
export function timeOf(text: string | undefined): WireTime | null {
  const [, date = '', clock, offset] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text ?? '') ?? [];
  const moment = new Date(clock === undefined ? `${date}T12:00Z` : `${date}T${clock}${offset ?? 'Z'}`);
  if (Number.isNaN(moment.getTime())) return null;
  const at = moment.toISOString();
  if (clock === undefined) return { at, local: date, timezone: null, zone_source: 'location', precision: 'date' };
  const zoneSource = offset === undefined ? 'assumed_utc' : 'location';
  return { at, local: `${date}T${clock}`, timezone: null, zone_source: zoneSource, precision: 'minute' };
}

/** The instant of a time of a result, in UTC. Null if it is no time. */
export function instantOf(text: string | undefined): string | null {
  return timeOf(text)?.at ?? null;
}

/** An interval of a result: `2026-04-15T14:00/18:00+02:00`; `..` is an open end. */
export function windowOf(text: string | undefined): { from: WireTime | null; to: WireTime | null } | null {
  if (text === undefined) return null;
  const [first = '', second] = text.split('/');
  if (second === undefined) {
    const time = timeOf(first);
    return time && { from: time, to: time };
  }
  // Of one day: the end has the day of the start, and the start the offset of the end.
  const isOfOneDay = /^\d{2}:\d{2}/.test(second);
  const [, offset = ''] = /(Z|[+-]\d{2}:\d{2})$/.exec(second) ?? [];
  const from = timeOf(isOfOneDay ? `${first}${offset}` : first);
  const to = timeOf(isOfOneDay ? `${first.slice(0, 11)}${second}` : second);
  return from === null && to === null ? null : { from, to };
}

const noPlace: WirePlace = {
  name: null,
  unlocode: null,
  iata: null,
  country: null,
  lat: null,
  lng: null,
  timezone: null,
  facility: null,
};

/** The place of a result: `Shanghai (CNSHA)`, `Köln (DE)`, or only a code or a name. */
export function placeOf(text: string | undefined, points: Points = {}): WirePlace | null {
  if (text === undefined || text.trim() === '') return null;
  const full = fullText(text, points);
  const point = Object.hasOwn(points, full) ? points[full] : undefined;
  const [, name, suffix] = /^(.*\S)\s+\(([A-Z0-9]{2,5})\)$/.exec(full) ?? [];
  const known = codeOf(suffix ?? full);
  const named = known === null ? full : suffix === undefined ? null : (name ?? null);
  return {
    ...noPlace,
    ...known,
    name: named,
    lat: point?.[0] ?? null,
    lng: point?.[1] ?? null,
  };
}

/** A result that has no room says only the code, `CNSHA`: another text may have the name. */
function fullText(text: string, points: Points): string {
  return Object.keys(points).find((one) => one.endsWith(` (${text})`)) ?? text;
}

function codeOf(text: string): Partial<WirePlace> | null {
  if (/^[A-Z]{2}[A-Z2-9]{3}$/.test(text)) return { unlocode: text, country: text.slice(0, 2) };
  if (/^[A-Z]{3}$/.test(text)) return { iata: text };
  return /^[A-Z]{2}$/.test(text) ? { country: text } : null;
}

/** A cost of a result: `at least 360 USD`, `360.5 USD+`. Null if it is none. */
export function costOf(text: string | undefined): { amount: number; currency: string; is_floor: boolean } | null {
  const [, floor, amount, currency, plus] = /^(at least )?(\d+(?:\.\d+)?) ([A-Z]{3})(\+)?$/.exec(text ?? '') ?? [];
  if (amount === undefined || currency === undefined) return null;
  return { amount: Number(amount), currency, is_floor: floor !== undefined || plus !== undefined };
}
