import type { CarrierTime, Place, ReadEvent, TimeWindow } from '#shared/domain/events/event.ts';
import { placeKey } from '#shared/domain/events/place-key.ts';
import { instantOf, offsetAt } from '#shared/domain/instant-of.ts';
import { zonesOfCountry } from './country-zones.ts';

/** A moment at a place of which the carrier stated the offset. */
type Scan = { atMs: number; offsetMs: number };

/** The scans of one place in the order of their moments, and whether a zone agrees with all of them. */
type Scans = { inOrder: readonly Scan[]; fits: (zone: string) => boolean };

const hourMs = 3_600_000;

/** Zones of these sources may be wrong for one town: its scans with an offset know better. */
const doubtful: readonly CarrierTime['zoneSource'][] = ['assumed_utc', 'state', 'postal_code', 'city'];

/**
 * Events of one response, with the times whose zone is in doubt read by the offset of other scans at the same place. The
 * order stays.
 */
export function settleZones(events: readonly ReadEvent[]): readonly ReadEvent[] {
  if (!events.some(isInDoubt)) return events;
  const scansAt = readScans(events);
  if (scansAt.size === 0) return events;
  return events.map((event) => {
    const scans = scansAt.get(placeKey(event.location) ?? '');
    return scans === undefined || !isInDoubt(event) ? event : settle(event, scans);
  });
}

/** The scans of each place, one for each hour and offset. */
function readScans(events: readonly ReadEvent[]): ReadonlyMap<string, Scans> {
  const found = new Map<string, Map<string, Scan>>();
  for (const { location, time } of events) {
    const key = placeKey(location);
    const scan = key === null ? null : scanOf(time);
    if (key === null || scan === null) continue;
    const here = found.get(key) ?? new Map<string, Scan>();
    found.set(key, here);
    const hour = `${Math.floor(scan.atMs / hourMs)} ${scan.offsetMs}`;
    if (!here.has(hour)) here.set(hour, scan);
  }
  return new Map([...found].map(([key, here]) => [key, scansOf([...here.values()])]));
}

function scansOf(scans: readonly Scan[]): Scans {
  const inOrder = scans.toSorted((left, right) => left.atMs - right.atMs);
  const known = new Map<string, boolean>();
  const fits = (zone: string) => {
    const answer = known.get(zone) ?? inOrder.every(({ atMs, offsetMs }) => offsetAt(zone, atMs) === offsetMs);
    known.set(zone, answer);
    return answer;
  };
  return { inOrder, fits };
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
  return { atMs, offsetMs: precision === 'minute' ? Math.round(offsetMs / 60_000) * 60_000 : offsetMs };
}

function settle(event: ReadEvent, scans: Scans): ReadEvent {
  const read = (time: CarrierTime) => (isDoubtful(time) ? settledTime(time, event.location, scans) : time);
  const window = event.details?.window;
  const settled = { ...event, time: read(event.time) };
  if (window === undefined) return settled;
  const ends: TimeWindow = { from: window.from && read(window.from), to: window.to && read(window.to) };
  return { ...settled, details: { ...event.details, window: ends } };
}

function settledTime(time: CarrierTime, place: Place | null, scans: Scans): CarrierTime {
  const wallMs = wallMsOf(time.local);
  const zones = fittingZones(time, place, scans);
  const instants = new Set(zones.map((zone) => instantOf(wallMs, zone)));
  const [only = null] = instants.size === 1 ? instants : [];
  const atMs = only ?? wallMs - nearestOffset(scans.inOrder, wallMs);
  // Towns of several zones write one offset: it says nothing about which of them it is.
  const [zone, ...others] = zones;
  const isZone = zone !== undefined && others.length === 0 && offsetAt(zone, atMs) === wallMs - atMs;
  const timezone = isZone ? zone : null;
  const isSame = timezone === time.timezone && atMs === Date.parse(time.at);
  return isSame ? time : { ...time, at: new Date(atMs).toISOString(), timezone, zoneSource: 'scans' };
}

/** The zones that agree with every scan: the place's own, otherwise those of its country. */
function fittingZones(time: CarrierTime, place: Place | null, { fits }: Scans): string[] {
  const own = [time.timezone, place?.timezone ?? null].find((zone) => zone !== null && fits(zone));
  if (own != null) return [own];
  return place?.country == null ? [] : zonesOfCountry(place.country).filter(fits);
}

/** The offset of the scan next to the time. */
function nearestOffset(inOrder: readonly Scan[], wallMs: number): number {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((inOrder[middle]?.atMs ?? 0) < wallMs) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [inOrder[low - 1], inOrder[low]];
  if (before === undefined || after === undefined) return (before ?? after)?.offsetMs ?? 0;
  return after.atMs - wallMs < wallMs - before.atMs ? after.offsetMs : before.offsetMs;
}

/** The wall clock as if it were UTC. */
function wallMsOf(local: string): number {
  return Date.parse(`${local}Z`);
}
