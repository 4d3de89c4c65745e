import { expect, it } from 'vitest';
import { positionMistake } from '#shared/domain/positions/vehicle-position.ts';

const nowMs = Date.parse('2026-04-15T08:00:00Z');
const at = '2026-04-15T07:59:00Z';

it.each([
  ['out of range', { lat: 90.1, lng: 4, at }],
  ['out of range', { lat: 52, lng: -180.1, at }],
  ['out of range', { lat: Number.NaN, lng: 4, at }],
  ['0/0', { lat: 0, lng: 0, at }],
  ['not valid', { lat: 52, lng: 4, at: 'yesterday' }],
  ['before the year 2000', { lat: 52, lng: 4, at: '1970-01-01T00:00:00Z' }],
  ['in the future', { lat: 52, lng: 4, at: '2026-04-15T08:06:00Z' }],
  ['in the future', { lat: 52, lng: 4, at: '2090-01-01T00:00:00Z' }],
])('refuses a position that can’t be true and explains why: %s', (reason, position) => {
  expect(positionMistake(position, nowMs)).toContain(reason);
});

it('accepts positions on the equator, on the prime meridian, and of a clock a little ahead', () => {
  expect(positionMistake({ lat: 0, lng: 9.5, at }, nowMs)).toBe(null);
  expect(positionMistake({ lat: 51.5, lng: 0, at }, nowMs)).toBe(null);
  expect(positionMistake({ lat: -90, lng: 180, at: '2026-04-15T08:04:00Z' }, nowMs)).toBe(null);
});
