import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueAt } from '#shared/domain/alerts/due-times.ts';
import { runs } from '#test/support/run-scale.ts';

const hourMs = 3_600_000;
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Asia/Kathmandu'];

/** The wall clock there, by `Intl`. */
function wallOf(ms: number, timeZone: string) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  return { day: parts.weekday, hour: Number(parts.hour), rest: `${parts.minute}:${parts.second}` };
}

const nows = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) });

describe('digests', () => {
  it('fall on the hour of the wall, later than now, and never later than the next one would', () => {
    fc.assert(
      fc.property(nows, fc.constantFrom(...zones), fc.integer({ min: 4, max: 23 }), (now, timeZone, digestHour) => {
        const clock = { timeZone, digestHour, quiet: null };
        const daily = dueAt('daily', now, clock);
        // Clocks change before four in the morning in these zones.
        expect(wallOf(daily, timeZone)).toMatchObject({ hour: digestHour, rest: '00:00' });
        expect(daily - now).toBeGreaterThan(0);
        expect(daily - now).toBeLessThanOrEqual(25 * hourMs);
        const weekday = dueAt('weekdays', now, clock);
        expect(wallOf(weekday, timeZone)).toMatchObject({ hour: digestHour, rest: '00:00' });
        expect(['Sat', 'Sun']).not.toContain(wallOf(weekday, timeZone).day);
        expect(weekday - now).toBeLessThanOrEqual(73 * hourMs);
        const hourly = dueAt('hourly', now, clock);
        expect(wallOf(hourly, timeZone).rest).toBe('00:00');
        expect(hourly - now).toBeGreaterThan(0);
        expect(hourly - now).toBeLessThanOrEqual(hourMs);
      }),
      { numRuns: runs(1000) },
    );
  });

  it.each([
    // 02:00 does not exist on 28 March 2027, and comes twice on 31 October 2027.
    ['2027-03-28T00:30:00Z', '2027-03-28T01:00:00Z'],
    ['2027-10-30T23:30:00Z', '2027-10-31T00:00:00Z'],
  ])('of an hour that is skipped or repeated fall due once: after %s at %s', (now, due) => {
    const clock = { timeZone: 'Europe/Berlin', digestHour: 2, quiet: null };
    const at = dueAt('daily', Date.parse(now), clock);
    expect(new Date(at).toISOString()).toBe(due.replace('Z', '.000Z'));
    // The next one is another day's.
    expect(dueAt('daily', at, clock) - at).toBeGreaterThan(20 * hourMs);
  });
});

it('waits through quiet hours, also over midnight', () => {
  const clock = { timeZone: 'Europe/Berlin', digestHour: 7, quiet: { from: 22, to: 6 } };
  const at = (iso: string) => new Date(dueAt('at_once', Date.parse(iso), clock)).toISOString();
  expect(at('2027-01-05T12:00:00Z')).toBe('2027-01-05T12:00:00.000Z');
  expect(at('2027-01-05T21:30:00Z')).toBe('2027-01-06T05:00:00.000Z');
  expect(at('2027-01-06T04:59:59Z')).toBe('2027-01-06T05:00:00.000Z');
  expect(at('2027-01-06T05:00:00Z')).toBe('2027-01-06T05:00:00.000Z');
});
