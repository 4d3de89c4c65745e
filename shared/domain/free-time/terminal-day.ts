import type { CarrierTime } from '../events/event.ts';
import { localDay } from '../events/local-day.ts';
import { instantOf, isTimezone, offsetAt } from '../instant-of.ts';
import type { FreeTimePlace } from '../record/free-time.ts';

/** An IANA zone, or a fixed offset from UTC in milliseconds where the zone is unknown. */
export type TerminalZone = string | number;

/** The zone of the terminal: that of the place, otherwise that of the event, otherwise the event's offset. */
export function zoneOf(time: CarrierTime | null, place: FreeTimePlace | null): TerminalZone {
  const zone = place?.timezone ?? time?.timezone ?? null;
  if (zone !== null && isTimezone(zone)) return zone;
  if (time === null || time.precision === 'date') return 0;
  return Date.parse(`${time.local}Z`) - Date.parse(time.at);
}

/** The calendar day of an event at the terminal. */
export function dayOfEvent(time: CarrierTime, zone: TerminalZone): string {
  const isLocal = time.precision === 'date' || time.timezone === zone;
  return isLocal ? localDay(time) : dayAt(Date.parse(time.at), zone);
}

/** The calendar day at the terminal at an instant. */
export function dayAt(instantMs: number, zone: TerminalZone): string {
  const offsetMs = typeof zone === 'number' ? zone : (offsetAt(zone, instantMs) ?? 0);
  return new Date(instantMs + offsetMs).toISOString().slice(0, 10);
}

/** The instant (epoch ms) at which a day begins at the terminal. In Cairo or Santiago, one day a year begins at 01:00. */
export function startOfDay(day: string, zone: TerminalZone): number {
  const wallMs = Date.parse(`${day}T00:00:00Z`);
  if (typeof zone === 'number') return wallMs - zone;
  const startMs = instantOf(wallMs, zone) ?? wallMs;
  // Of a skipped midnight, the instant is the one by the later offset: it is still the day before.
  return dayAt(startMs, zone) < day ? wallMs - (offsetAt(zone, startMs) ?? 0) : startMs;
}
