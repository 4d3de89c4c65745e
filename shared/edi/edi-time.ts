import type { SentTime } from '#shared/domain/events-in/event-row.ts';

/**
 * Zone of a message's times. `local`: the local time of the event's place, whose zone is `timezone` if the place has
 * one that is known (null: its row's location decides).
 */
export type EdiZone =
  | { kind: 'local'; timezone: string | null }
  | { kind: 'offset'; minutes: number }
  | { kind: 'zone'; timezone: string };

/** Digits of a date (CCYYMMDD or YYMMDD) and of a time of day (HHMM or HHMMSS; null: the date alone is known). */
export type EdiDigits = { date: string; time: string | null };

type Read = { time: SentTime } | { reason: string };

/**
 * The time that a message states, or why it is none. Whether it can be meant is not evaluated here. `placeTimezone`: of
 * the place, where its own code has none.
 */
export function readEdiTime({ date, time }: EdiDigits, zone: EdiZone, placeTimezone: string | null): Read {
  const day = readDay(date);
  if (day === null) return { reason: `${date} is not a date.` };
  const clock = time === null ? null : readClock(time);
  if (time !== null && clock === null) return { reason: `${time} is not a time of day.` };
  if (clock === null) return { time: { local: day, timezone: zone.kind === 'offset' ? 'UTC' : zone.timezone } };
  const local = `${day}T${clock}`;
  if (zone.kind === 'offset') return { time: { at: `${local}${offsetText(zone.minutes)}`, timezone: placeTimezone } };
  return { time: { local, timezone: zone.timezone } };
}

/** The instant of a header's date and time, which are taken as UTC. Null: they are no time. */
export function readCreatedAt(date: string | null, time: string | null): string | null {
  const day = readDay(date ?? '');
  const clock = readClock((time ?? '').slice(0, 6)) ?? readClock((time ?? '').slice(0, 4));
  return day === null || clock === null || day < '2000' ? null : new Date(`${day}T${clock}Z`).toISOString();
}

function readDay(digits: string): string | null {
  const match = /^(\d{2})?(\d{2})(\d{2})(\d{2})$/.exec(digits);
  if (match === null) return null;
  const [, century, year = '', month = '', day = ''] = match;
  const written = `${century ?? (Number(year) < 70 ? '20' : '19')}${year}-${month}-${day}`;
  const ms = Date.parse(`${written}T00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(written) ? written : null;
}

/** `14:05` or `14:05:30`. Fractions of seconds are left out. */
function readClock(digits: string): string | null {
  const match = /^([01]\d|2[0-3])([0-5]\d)(?:([0-5]\d)\d{0,2})?$/.exec(digits);
  if (match === null) return null;
  const [, hour, minute, second] = match;
  return second === undefined ? `${hour}:${minute}` : `${hour}:${minute}:${second}`;
}

function offsetText(minutes: number): string {
  if (minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  const digits = [Math.floor(size / 60), size % 60].map((each) => String(each).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${digits.join(':')}`;
}
