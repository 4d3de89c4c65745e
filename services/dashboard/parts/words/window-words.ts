import { dayIn, dayWords } from '../time-words.ts';
import { clockText } from './locale.ts';

/** A time as a carrier gives it: `local` is the time at the place. */
export type LocalTime = { at: string; local: string; timezone: string | null; precision: string };
export type TimeWindow = { from: LocalTime | null; to: LocalTime | null };

const dayMs = 86_400_000;

/**
 * A window in the local time of its place: `today 14:00–16:00`, `12 May by 18:00`, `12 May 20:00 – 13 May 02:00`. Empty
 * if both ends are open.
 */
export function windowWords({ from, to }: TimeWindow, now: number): string {
  if (from === null && to === null) return '';
  if (from === null || to === null) return openWindowWords({ from, to }, now);
  const [first, last] = [dayName(from, now), dayName(to, now)];
  if (first !== last) return `${momentOn(from, now)} – ${momentOn(to, now)}`;
  const [starts, ends] = [clockOf(from), clockOf(to)];
  if (starts === '00:00' && ends === '23:59') return first;
  if (starts === ends) return `${first} ${clockText(starts)}`.trim();
  if (starts === '') return `${first} by ${clockText(ends)}`;
  return ends === '' ? `${first} from ${clockText(starts)}` : `${first} ${clockText(starts)}–${clockText(ends)}`;
}

/** A day and its clock time, if there is one: `today 14:00`, `12 May`. */
export function momentOn(time: LocalTime, now: number): string {
  return `${dayName(time, now)} ${clockText(clockOf(time))}`.trim();
}

function openWindowWords({ from, to }: TimeWindow, now: number): string {
  const time = from ?? to;
  if (time === null) return '';
  const word = from === null ? 'by' : 'from';
  const clock = clockOf(time);
  return clock === '' ? `${word} ${dayName(time, now)}` : `${dayName(time, now)} ${word} ${clockText(clock)}`;
}

/** `today`, `tomorrow`, `yesterday` or `12 May`, by the calendar of the place. */
function dayName({ local, timezone }: LocalTime, now: number): string {
  const day = local.slice(0, 10);
  const today = Date.parse(`${dayIn(now, timezone)}T00:00:00Z`);
  const days = Math.round((Date.parse(`${day}T00:00:00Z`) - today) / dayMs);
  return nearDays[days] ?? dayWords(day, null, now);
}

const nearDays: Record<number, string> = { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' };

function clockOf({ local, precision }: LocalTime): string {
  return precision === 'date' ? '' : local.slice(11, 16);
}
