import { expect, it } from 'vitest';
import { dayAt, startOfDay } from '#shared/domain/free-time/terminal-day.ts';

it.each([
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
  ['2026-10-25', 'Europe/Amsterdam', '2026-10-24T22:00:00.000Z'],
])('begins the %s in %s with its first moment, also where a change of the clock skips midnight', (day, zone, at) => {
  const startMs = startOfDay(day, zone);
  expect(new Date(startMs).toISOString()).toBe(at);
  expect(dayAt(startMs, zone)).toBe(day);
  expect(dayAt(startMs - 1, zone) < day).toBe(true);
});
