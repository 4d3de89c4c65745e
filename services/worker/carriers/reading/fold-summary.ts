import type { CarrierTime, EventCode, EventDetails, Place, ReadEvent } from '#shared/domain/events/event.ts';
import { eventTimeMs, isLater } from '#shared/domain/events/event-order.ts';
import { instantOf } from '#shared/domain/instant-of.ts';
import { bareEvent } from './bare-event.ts';

/** Facts of a carrier on a parcel beside the list of its scans. Time null: it states none. */
export type ParcelSummary = {
  code: EventCode;
  time: CarrierTime | null;
  location?: Place | null;
  carrierCode: string | null;
  carrierDescription?: string | null;
  details?: EventDetails;
  raw: unknown;
};

const ends: readonly EventCode[] = ['delivered', 'returned'];
/** Codes of a scan that the summary may give its meaning. */
const vague: readonly EventCode[] = ['other', 'in_transit'];
const dayMs = 86_400_000;

/** The clock of a place is up to 14 h ahead of UTC. */
const zoneDoubtMs = 14 * 3_600_000;

/**
 * The scans with what the summary adds to them, as an event of its own time. It adds nothing that the list has, gives a
 * scan of the same time its meaning, and counts by itself where the list lags: if it is newer than every scan, or states
 * the end of the journey. A summary without a time is about the newest scan, and one without a zone is read at its place.
 */
export function foldSummary(scans: readonly ReadEvent[], stated: ParcelSummary | null): ReadEvent[] {
  const newest = newestOf(scans);
  const isDoubtful = stated?.time?.zoneSource === 'assumed_utc' && stated.time.precision !== 'date';
  const summary = stated !== null && isDoubtful && newest !== null ? placedAt(stated, newest) : stated;
  const time = summary?.time ?? newest?.time ?? null;
  if (summary === null || time === null || summary.code === 'other') return [...scans];
  const isEnd = ends.includes(summary.code) || (summary.code === 'cancelled' && summary.time === null);
  if (scans.some((scan) => isStatedBy(scan, summary, { time, isEnd }))) return [...scans];
  const isOfPart = scans.some((scan) => scan.details?.piece !== undefined);
  if (isOfPart) return [...scans];
  const sameTime = scans.filter((scan) => isSameTime(scan.time, time));
  const same = summary.time === null ? newest : sameTime.find((scan) => isVague(scan, summary.code, false));
  const isTimeless = summary.time === null;
  if (same !== undefined && same !== null && isVague(same, summary.code, isTimeless))
    return scans.map((scan) => (scan === same ? meaning(scan, summary) : scan));
  if (isEnd || newest === null) return [...scans, eventOf(summary, time)];
  const isSurelyLater = !isDoubtful || Date.parse(time.at) - eventTimeMs(newest) >= zoneDoubtMs;
  const isNewer = summary.time !== null && sameTime.length === 0 && isSurelyLater && isLater({ time }, newest);
  return isNewer ? [...scans, eventOf(summary, time)] : [...scans];
}

/** The summary at the scan's place, its time on the clock of that place. */
function placedAt(summary: ParcelSummary, scan: ReadEvent): ParcelSummary {
  const { time } = summary;
  const location = summary.location ?? scan.location;
  const { timezone, zoneSource, precision } = scan.time;
  if (time === null || precision === 'date' || zoneSource === 'assumed_utc') return { ...summary, location };
  const wallMs = Date.parse(`${time.local}Z`);
  const offsetMs = Date.parse(`${scan.time.local}Z`) - Math.floor(eventTimeMs(scan) / 1000) * 1000;
  const atMs = (timezone === null ? null : instantOf(wallMs, timezone)) ?? wallMs - offsetMs;
  return { ...summary, location, time: { ...time, at: new Date(atMs).toISOString(), timezone, zoneSource: 'scans' } };
}

export function newestOf(scans: readonly ReadEvent[]): ReadEvent | null {
  return scans.reduce<ReadEvent | null>(
    (best, each) => (best === null || eventTimeMs(each) > eventTimeMs(best) ? each : best),
    null,
  );
}

function isStatedBy(
  scan: ReadEvent,
  { code }: ParcelSummary,
  { time, isEnd }: { time: CarrierTime; isEnd: boolean },
): boolean {
  if (isEnd && code === 'cancelled') return scan.code === code || ends.includes(scan.code);
  // A summary calls a return a delivery.
  if (isEnd)
    return ends.includes(scan.code) || (scan.code === 'return_started' && eventTimeMs(scan) >= Date.parse(time.at));
  return scan.code === code && eventTimeMs(scan) >= Date.parse(time.at) - dayMs;
}

function isSameTime(left: CarrierTime, right: CarrierTime): boolean {
  return left.at.slice(0, 16) === right.at.slice(0, 16) || left.local.slice(0, 16) === right.local.slice(0, 16);
}

function isVague(scan: ReadEvent, code: EventCode, isTimeless: boolean): boolean {
  return scan.code === 'other' || (!isTimeless && vague.includes(scan.code) && scan.code !== code);
}

function meaning(scan: ReadEvent, { code, details }: ParcelSummary): ReadEvent {
  return { ...scan, code, ...(details === undefined ? {} : { details: { ...details, ...scan.details } }) };
}

function eventOf(summary: ParcelSummary, time: CarrierTime): ReadEvent {
  const { code, location = null, carrierCode, carrierDescription = null, details, raw } = summary;
  return bareEvent({
    code,
    classifier: 'actual',
    time,
    location,
    mode: 'parcel',
    carrierCode,
    carrierDescription,
    ...(details === undefined ? {} : { details }),
    raw,
  });
}
