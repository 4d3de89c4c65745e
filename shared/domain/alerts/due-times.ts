import { instantOf, offsetAt } from '../instant-of.ts';
import type { AlertPreferences, Timing } from './alert.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Clock = Pick<AlertPreferences, 'timeZone' | 'digestHour' | 'quiet'>;

/**
 * When something that is noticed now is sent, in epoch milliseconds: at once (after quiet hours), or with the next
 * digest. Where a clock change skips the hour of a digest, it comes at the change; where an hour comes twice, a daily
 * digest comes at the first of them.
 */
export function dueAt(timing: Timing, nowMs: number, clock: Clock): number {
  switch (timing) {
    case 'at_once':
      return afterQuiet(nowMs, clock);
    case 'hourly':
      return nextHour(nowMs, clock.timeZone);
    case 'daily':
      return nextDay(nowMs, clock, () => true);
    case 'weekdays':
      return nextDay(nowMs, clock, (wallMs) => !isWeekend(wallMs));
  }
}

/** The next full hour on the wall. Zones are up to 45 minutes apart from full hours of UTC. */
function nextHour(nowMs: number, timeZone: string): number {
  const wallMs = nowMs + (offsetAt(timeZone, nowMs) ?? 0);
  return nowMs + (hourMs - (wallMs % hourMs));
}

function nextDay(nowMs: number, { timeZone, digestHour }: Clock, isWanted: (wallMs: number) => boolean): number {
  const offset = offsetAt(timeZone, nowMs);
  const zone = offset === null ? 'UTC' : timeZone;
  const wallMs = nowMs + (offset ?? 0);
  const midnight = wallMs - (wallMs % dayMs);
  for (let day = 0; ; day += 1) {
    const wantedMs = midnight + day * dayMs + digestHour * hourMs;
    if (!isWanted(wantedMs)) continue;
    const at = existingInstant(wantedMs, zone);
    if (at > nowMs) return at;
  }
}

/** A local time that the clock skips becomes the moment of the change. */
function existingInstant(wallMs: number, zone: string): number {
  const at = instantOf(wallMs, zone) ?? wallMs;
  const offset = offsetAt(zone, at) ?? 0;
  return at + offset === wallMs ? at : wallMs - offset;
}

function afterQuiet(nowMs: number, { timeZone, quiet }: Clock): number {
  if (quiet === null) return nowMs;
  const offset = offsetAt(timeZone, nowMs);
  const wallMs = nowMs + (offset ?? 0);
  const hour = Math.floor((wallMs % dayMs) / hourMs);
  const isQuiet = quiet.from < quiet.to ? hour >= quiet.from && hour < quiet.to : hour >= quiet.from || hour < quiet.to;
  return isQuiet ? nextDay(nowMs, { timeZone, digestHour: quiet.to, quiet }, () => true) : nowMs;
}

function isWeekend(wallMs: number): boolean {
  const day = new Date(wallMs).getUTCDay();
  return day === 0 || day === 6;
}
