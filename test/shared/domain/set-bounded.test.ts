import { expect, test } from 'vitest';
import { setBounded } from '#shared/domain/set-bounded.ts';

test('keeps no more entries than allowed, and forgets the oldest first', () => {
  const cache = new Map<string, number>();
  for (const [value, key] of ['a', 'b', 'c', 'b'].entries())
    expect(setBounded(cache, { key, value, max: 2 })).toBe(value);
  expect([...cache]).toEqual([
    ['b', 3],
    ['c', 2],
  ]);
});
