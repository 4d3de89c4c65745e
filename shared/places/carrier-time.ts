import type { CarrierTime, Place } from '#shared/domain/events/event.ts';
import { instantOf, offsetAt } from '#shared/domain/instant-of.ts';
import { enrichPlace, zoneSourceOf } from './find-place.ts';

/**
 * Format of a carrier's times. `offset`: with an offset; a time without one is UTC. `assumeUtc`: always UTC.
 * `localNoOffset`: an offset is trusted; a time without one is local at the event's place. `localStampedZ`: like
 * `localNoOffset`, but `Z` means local too.
 */
export type TimePolicy = 'offset' | 'assumeUtc' | 'localNoOffset' | 'localStampedZ';

/** `zoneSource`: where the place's zone comes from, if it isn't its codes, coordinates or name. */
export type TimeContext = { policy: TimePolicy; place: Place | null; zoneSource?: CarrierTime['zoneSource'] };

const timePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Seconds or milliseconds since the epoch, until 2033. Later numbers could be a date without separators. */
const epochPattern = /^(1\d{9})(\d{3})?$/;

/**
 * Parses a carrier's time (ISO 8601, a date, or a Unix time in seconds or milliseconds). Null when it is not a time
 * between 1970 and 2100.
 */
export function carrierTime(text: string, context: TimeContext): CarrierTime | null {
  const epoch = epochPattern.exec(text.trim());
  if (epoch !== null) {
    const at = new Date(Number(`${epoch[1]}${epoch[2] ?? '000'}`)).toISOString();
    return carrierTime(at, { ...context, policy: 'offset' });
  }
  const match = timePattern.exec(text.trim());
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  if (Number(year) < 1970 || Number(year) > 2100) return null;
  const date = `${year}-${month}-${day}`;
  const dateMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const read = new Date(dateMs);
  // Date.UTC accepts 30 February as 2 March and month 13 as the next January.
  if (read.getUTCMonth() !== Number(month) - 1 || read.getUTCDate() !== Number(day)) return null;
  const timezone = context.place?.timezone ?? null;
  if (hour === undefined) {
    return { at: `${date}T12:00:00.000Z`, local: date, timezone, zoneSource: 'assumed_utc', precision: 'date' };
  }
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second ?? 0) > 60) return null;
  const milliseconds = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000);
  const wallMs = dateMs + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second ?? 0)) * 1000 + milliseconds;
  const precision = second === undefined ? 'minute' : 'second';
  const resolved = resolve(wallMs, zone?.toUpperCase(), { ...context, timezone });
  return {
    at: new Date(resolved.atMs).toISOString(),
    local: new Date(resolved.localMs).toISOString().slice(0, precision === 'second' ? 19 : 16),
    timezone: resolved.timezone,
    zoneSource: resolved.zoneSource,
    precision,
  };
}

type Resolved = { atMs: number; localMs: number; timezone: string | null; zoneSource: CarrierTime['zoneSource'] };

function resolve(
  wallMs: number,
  zone: string | undefined,
  context: TimeContext & { timezone: string | null },
): Resolved {
  const { policy, place, timezone } = context;
  if (zone !== undefined && zone !== 'Z') {
    const offsetMs = parseOffset(zone);
    const atMs = wallMs - offsetMs;
    const agrees = (candidate: string | null) => candidate !== null && offsetAt(candidate, atMs) === offsetMs;
    // An offset that doesn't apply in the stated zone may apply in the place's own. Otherwise the zone is not set.
    const fitting = agrees(timezone) ? timezone : ownZone(place);
    return { atMs, localMs: wallMs, timezone: agrees(fitting) ? fitting : null, zoneSource: 'carrier' };
  }
  const isUtc = zone === 'Z' ? policy !== 'localStampedZ' : policy === 'assumeUtc';
  if (isUtc) return inUtc(wallMs, timezone, 'carrier');
  if (policy === 'offset' || timezone === null) return inUtc(wallMs, timezone, 'assumed_utc');
  const atMs = instantOf(wallMs, timezone);
  return atMs === null
    ? inUtc(wallMs, null, 'assumed_utc')
    : { atMs, localMs: wallMs, timezone, zoneSource: context.zoneSource ?? sourceOf(place) };
}

function sourceOf(place: Place | null): CarrierTime['zoneSource'] {
  const source = place === null ? null : zoneSourceOf(place);
  return source === 'city' || source === 'postal_code' || source === 'state' ? source : 'location';
}

/** The place's zone without the one that the carrier stated. */
function ownZone(place: Place | null): string | null {
  return place === null ? null : enrichPlace({ ...place, timezone: null }).timezone;
}

function inUtc(atMs: number, timezone: string | null, zoneSource: CarrierTime['zoneSource']): Resolved {
  const offsetMs = timezone === null || zoneSource === 'assumed_utc' ? null : offsetAt(timezone, atMs);
  return offsetMs === null
    ? { atMs, localMs: atMs, timezone: null, zoneSource }
    : { atMs, localMs: atMs + offsetMs, timezone, zoneSource };
}

function parseOffset(zone: string): number {
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const ms = (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000;
  return zone.startsWith('-') ? -ms : ms;
}
