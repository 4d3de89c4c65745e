import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readInstant } from '#shared/contract/input/read-instant.ts';

it.each([
  ['2026-04-15', 'from', '2026-04-15T00:00:00.000Z'],
  ['2026-04-15', 'to', '2026-04-15T23:59:59.999Z'],
  ['2024-02-29', 'from', '2024-02-29T00:00:00.000Z'],
  ['2026-04-15T08:00Z', 'to', '2026-04-15T08:00:00.000Z'],
  ['2026-04-15t08:00:01.5z', 'to', '2026-04-15T08:00:01.500Z'],
  ['2026-04-15T08:00:00+08:00', 'from', '2026-04-15T00:00:00.000Z'],
  ['2026-04-15T08:00:00-0230', 'from', '2026-04-15T10:30:00.000Z'],
] as const)('reads %s at the %s edge as %s', (text, edge, instant) => {
  expect(readInstant(text, edge)).toBe(instant);
});

it.each([
  '',
  'today',
  '2026-02-29',
  '2026-13-01',
  '2026-04-15T08:00',
  '2026-04-15T25:00Z',
  '2026-02-30T08:00Z',
  '1776211200',
  '2026-04-15T08:00:00+25:00',
  '0000-06-01',
  '0001-01-01T00:00+14:00',
  '9999-12-31T23:59:59-14:00',
])('refuses %s', (text) => {
  expect(readInstant(text, 'from')).toBeNull();
});

it('reads every instant unchanged', () => {
  const date = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-01-01'), noInvalidDate: true });
  fc.assert(fc.property(date, (instant) => readInstant(instant.toISOString(), 'from') === instant.toISOString()));
});
