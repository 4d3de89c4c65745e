import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editDistance, nearestName } from '#shared/domain/nearest.ts';

const names = ['status', 'transport_mode', 'carrier', 'container', 'eta_from', 'eta_to', 'limit', 'has_exception'];

it.each([
  ['statuss', 'status'],
  ['state', 'status'],
  ['satus', 'status'],
  ['carier', 'carrier'],
  ['transportMode', 'transport_mode'],
  ['hasException', 'has_exception'],
  ['eta-from', 'eta_from'],
  ['limt', 'limit'],
  ['CONTAINER', 'container'],
])('suggests %s for %s', (word, meant) => {
  expect(nearestName(word, names)).toBe(meant);
});

it.each(['colour', 'zzz', '', 'page'])('suggests no name for %j', (word) => {
  expect(nearestName(word, names)).toBeNull();
});

it('counts two swapped neighbors as one edit', () => {
  expect(editDistance('mbl', 'mlb')).toBe(1);
  expect(editDistance('kitten', 'sitting')).toBe(3);
});

it('is symmetric, and zero only for the same word', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (left, right) => {
      expect(editDistance(left, right)).toBe(editDistance(right, left));
      expect(editDistance(left, right) === 0).toBe(left === right);
    }),
  );
});
