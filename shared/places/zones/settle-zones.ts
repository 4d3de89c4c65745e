import type { CarrierTime, Place, ReadEvent, TimeWindow } from '#shared/domain/events/event.ts';
import { placeKey } from '#shared/domain/events/place-key.ts';
import { instantOf, offsetAt } from '#shared/domain/instant-of.ts';
import { zonesOfCountry } from './country-zones.ts';

/** A moment at a place of which the carrier stated the offset. */
type Scan = { atMs: number; offsetMs: number; timezone: string | null };

/** Zones of these sources may be wrong for one town: its scans with an offset know better. */
const doubtful: readonly CarrierTime['zoneSource'][] = ['assumed_utc', 'state', 'postal_code', 'city'];

/**
 * Events of one response, with the times whose zone is in doubt read by the offset of other scans at the same place. The
 * order stays.
 */
export function settleZones(events: readonly ReadEvent[]): readonly ReadEvent[] {
  if (!events.some(isInDoubt)) return events;
  const scansAt = new Map<string, Scan[]>();
  for (const { location, time } of events) {
    const key = placeKey(location);
    const scan = key === null ? null : scanOf(time);
    if (key === null || scan === null) continue;
    scansAt.set(key, [...(scansAt.get(key) ?? []), scan]);
  }
  if (scansAt.size === 0) return events;
  return events.map((event) => {
    const scans = scansAt.get(placeKey(event.location) ?? '');
    return scans === undefined || !isInDoubt(event) ? event : settle(event, scans);
  });
}

function isInDoubt({ time, details }: ReadEvent): boolean {
  return [time, details?.window?.from, details?.window?.to].some((each) => each != null && isDoubtful(each));
}

function isDoubtful({ zoneSource, precision }: CarrierTime): boolean {
  return precision !== 'date' && doubtful.includes(zoneSource);
}

/** `Z` without a zone is how carriers write UTC, wherever the place is. */
function scanOf({ at, local, timezone, zoneSource, precision }: CarrierTime): Scan | null {
  if (zoneSource !== 'carrier' || precision === 'date') return null;
  const atMs = Date.parse(at);
  const offsetMs = wallMsOf(local) - Math.floor(atMs / 1000) * 1000;
  if (timezone === null && offsetMs === 0) return null;
  return { atMs, offsetMs: precision === 'minute' ? Math.round(offsetMs / 60_000) * 60_000 : offsetMs, timezone };
}

function settle(event: ReadEvent, scans: readonly Scan[]): ReadEvent {
  const read = (time: CarrierTime) => (isDoubtful(time) ? settledTime(time, event.location, scans) : time);
  const window = event.details?.window;
  const settled = { ...event, time: read(event.time) };
  if (window === undefined) return settled;
  const ends: TimeWindow = { from: window.from && read(window.from), to: window.to && read(window.to) };
  return { ...settled, details: { ...event.details, window: ends } };
}

function settledTime(time: CarrierTime, place: Place | null, scans: readonly Scan[]): CarrierTime {
  const wallMs = wallMsOf(time.local);
  const zones = fittingZones(time, place, scans);
  const instants = new Set(zones.map((zone) => instantOf(wallMs, zone)));
  const [only = null] = instants.size === 1 ? instants : [];
  const atMs = only ?? wallMs - nearest(scans, wallMs).offsetMs;
  const timezone = zones.find((zone) => offsetAt(zone, atMs) === wallMs - atMs) ?? null;
  const isSame = timezone === time.timezone && atMs === Date.parse(time.at);
  return isSame ? time : { ...time, at: new Date(atMs).toISOString(), timezone, zoneSource: 'scans' };
}

/** The zones that agree with every scan: the place's own, otherwise those of its country. */
function fittingZones(time: CarrierTime, place: Place | null, scans: readonly Scan[]): string[] {
  const fits = (zone: string) => scans.every(({ atMs, offsetMs }) => offsetAt(zone, atMs) === offsetMs);
  const own = [time.timezone, place?.timezone ?? null].filter((zone) => zone !== null).filter(fits);
  if (own.length > 0) return own.slice(0, 1);
  return place?.country == null ? [] : zonesOfCountry(place.country).filter(fits);
}

function nearest(scans: readonly Scan[], wallMs: number): Scan {
  return scans.reduce((best, scan) => (Math.abs(scan.atMs - wallMs) < Math.abs(best.atMs - wallMs) ? scan : best));
}

/** The wall clock as if it were UTC. */
function wallMsOf(local: string): number {
  return Date.parse(`${local}Z`);
}
