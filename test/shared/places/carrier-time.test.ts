import { describe, expect, test } from 'vitest';
import type { Place } from '#shared/domain/events/event.ts';
import { instantOf } from '#shared/domain/instant-of.ts';
import { carrierTime, type TimePolicy } from '#shared/places/carrier-time.ts';

const place = (timezone: string | null): Place => ({
  name: null,
  unlocode: null,
  iata: null,
  country: null,
  lat: null,
  lng: null,
  timezone,
  facility: null,
});
const read = (text: string, policy: TimePolicy, timezone: string | null = 'Europe/Berlin') =>
  carrierTime(text, { policy, place: place(timezone) });
const wall = (text: string): number => Date.parse(`${text}Z`);

describe('instantOf', () => {
  test.each([
    ['a winter time', '2026-01-15T12:00', 'Europe/Berlin', '2026-01-15T11:00:00.000Z'],
    ['a skipped time gives the earlier instant', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
    ['a doubled time gives the earlier instant', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['just before a gap', '2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59:00.000Z'],
    ['just after a gap', '2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['a doubled time in the west', '2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['a half-hour zone', '2026-06-01T12:00', 'Asia/Kolkata', '2026-06-01T06:30:00.000Z'],
    ['a half-hour change', '2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z'],
  ])('%s', (_name, local, timezone, expected) => {
    expect(new Date(instantOf(wall(local), timezone) ?? Number.NaN).toISOString()).toBe(expected);
  });

  test('returns null for an unknown zone', () => {
    expect(instantOf(0, 'Mars/Olympus')).toBeNull();
  });
});

describe('carrierTime', () => {
  test('trusts an offset and sets the zone only when it agrees', () => {
    expect(read('2026-07-01T10:00:00+02:00', 'offset')).toEqual({
      at: '2026-07-01T08:00:00.000Z',
      local: '2026-07-01T10:00:00',
      timezone: 'Europe/Berlin',
      zoneSource: 'carrier',
      precision: 'second',
    });
    expect(read('2026-07-01T10:00+0830', 'offset')).toMatchObject({
      at: '2026-07-01T01:30:00.000Z',
      local: '2026-07-01T10:00',
      timezone: null,
      precision: 'minute',
    });
  });

  test('reads Z and a missing offset according to the policy', () => {
    expect(read('2026-07-01T10:00:00', 'offset')).toMatchObject({
      at: '2026-07-01T10:00:00.000Z',
      zoneSource: 'assumed_utc',
    });
    expect(read('2026-07-01T10:00:00', 'assumeUtc')).toMatchObject({
      at: '2026-07-01T10:00:00.000Z',
      local: '2026-07-01T12:00:00',
      zoneSource: 'carrier',
    });
    expect(read('2026-07-01T10:00:00', 'localNoOffset')).toMatchObject({
      at: '2026-07-01T08:00:00.000Z',
      zoneSource: 'location',
    });
    expect(read('2026-07-01T10:00:00Z', 'localNoOffset')).toMatchObject({
      at: '2026-07-01T10:00:00.000Z',
      zoneSource: 'carrier',
    });
    expect(read('2026-07-01T10:00:00Z', 'localStampedZ')).toMatchObject({
      at: '2026-07-01T08:00:00.000Z',
      zoneSource: 'location',
    });
    expect(read('2026-07-01T10:00:00', 'localNoOffset', null)).toMatchObject({
      at: '2026-07-01T10:00:00.000Z',
      timezone: null,
      zoneSource: 'assumed_utc',
    });
  });

  test('reads a Unix time in seconds and milliseconds, whatever the policy', () => {
    const expected = { at: '2026-03-02T08:13:00.000Z', local: '2026-03-02T09:13:00', zoneSource: 'carrier' };
    for (const policy of ['offset', 'localNoOffset', 'localStampedZ'] as const) {
      expect(read('1772439180', policy)).toMatchObject(expected);
      expect(read('1772439180000', policy)).toMatchObject(expected);
    }
    expect(read('2026030212', 'offset')).toBeNull();
  });

  test('reads a date as noon UTC', () => {
    expect(read('2026-07-01', 'localNoOffset')).toMatchObject({
      at: '2026-07-01T12:00:00.000Z',
      local: '2026-07-01',
      precision: 'date',
    });
  });

  test.each([
    '',
    'soon',
    '2026-02-30T10:00:00Z',
    '2026-13-01',
    '0001-01-01T00:00:00Z',
    '2026-01-01T25:00',
    '01-07-2026 10:00',
  ])('rejects %j', (text) => {
    expect(read(text, 'offset')).toBeNull();
  });
});

test('accepts only dates that exist in the calendar', () => {
  const two = (value: number) => String(value).padStart(2, '0');
  for (const year of [1970, 1999, 2000, 2024, 2100]) {
    for (let month = 0; month <= 13; month += 1) {
      for (let day = 0; day <= 32; day += 1) {
        const date = `${year}-${two(month)}-${two(day)}`;
        const parsed = Date.parse(`${date}T00:00:00Z`);
        const isReal = !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(date);
        expect(carrierTime(date, { policy: 'assumeUtc', place: null }) !== null, date).toBe(isReal);
      }
    }
  }
});
