import { setBounded } from './set-bounded.ts';
import { newerOffsetAt } from './zone-rules.ts';

/** Twice the zones that there are. Names come from carriers, in any case. */
const maxFormatters = 1000;
const formatters = new Map<string, Intl.DateTimeFormat | null>();
/** Some days of all zones that shipments touch: the present and the days of their events. */
const maxOffsets = 20_000;
const offsets = new Map<string, number | null>();
const minuteMs = 60_000;
/** Since Liberia left its mean time, every zone has changed its offset at a whole minute of UTC. */
const firstMinuteMs = Date.UTC(1973, 0, 1);
const offsetPattern = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;
const dayMs = 86_400_000;

/** True when this runtime knows the IANA zone. */
export function isTimezone(timezone: string): boolean {
  return formatterOf(timezone) !== null;
}

/** The zone's offset from UTC in milliseconds at an instant. Null for an unknown zone. */
export function offsetAt(timezone: string, instantMs: number): number | null {
  if (!(instantMs >= firstMinuteMs)) return readOffset(timezone, instantMs);
  // Formatting costs about 20 times as much as finding what it gave.
  const key = `${timezone} ${Math.floor(instantMs / minuteMs)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  return setBounded(offsets, { key, value: readOffset(timezone, instantMs), max: maxOffsets });
}

function readOffset(timezone: string, instantMs: number): number | null {
  return newerOffsetAt(timezone, instantMs) ?? runtimeOffsetAt(timezone, instantMs);
}

/** The offset by the rules of the runtime, which may be older. Null for an unknown zone. */
export function runtimeOffsetAt(timezone: string, instantMs: number): number | null {
  const match = formatterOf(timezone)?.format(instantMs).match(offsetPattern);
  if (!match) return null;
  const [, sign, hours, minutes, seconds] = match;
  const ms = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000;
  return sign === '-' ? -ms : ms;
}

/**
 * The instant (epoch ms) of a wall-clock time in a zone. `wallMs` is the wall clock interpreted as UTC. An ambiguous or
 * skipped time returns the earlier of the two possible instants. Null for an unknown zone.
 */
export function instantOf(wallMs: number, timezone: string): number | null {
  // No zone changes its offset twice within two days.
  const before = offsetAt(timezone, wallMs - dayMs);
  const after = offsetAt(timezone, wallMs + dayMs);
  if (before === null || after === null) return null;
  if (before === after) return wallMs - before;
  const candidates = [wallMs - before, wallMs - after];
  const real = candidates.filter((candidate) => offsetAt(timezone, candidate) === wallMs - candidate);
  return Math.min(...(real.length > 0 ? real : candidates));
}

// Creating a formatter costs about 50 times as much as formatting.
function formatterOf(timezone: string): Intl.DateTimeFormat | null {
  const cached = formatters.get(timezone);
  if (cached !== undefined) return cached;
  let formatter: Intl.DateTimeFormat | null = null;
  try {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
  } catch {
    formatter = null;
  }
  return setBounded(formatters, { key: timezone, value: formatter, max: maxFormatters });
}
