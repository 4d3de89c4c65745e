import { expect, test, vi } from 'vitest';
import { singleFlight } from '#shared/async/single-flight.ts';

test('makes one call at a time for a key and shares its result', async () => {
  const once = singleFlight<string, string>();
  const slow = Promise.withResolvers<string>();
  const call = vi.fn(() => slow.promise);
  const results = [once('a', call), once('a', call)];
  expect(await once('b', async () => 'other')).toBe('other');
  slow.resolve('shared');
  expect(await Promise.all(results)).toEqual(['shared', 'shared']);
  expect(call).toHaveBeenCalledTimes(1);
});

test('shares an error, and keeps nothing once the call has settled', async () => {
  const once = singleFlight<string, number>();
  const failing = vi.fn(() => Promise.reject(new Error('broken')));
  const results = await Promise.allSettled([once('a', failing), once('a', failing)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(failing).toHaveBeenCalledTimes(1);
  expect(await once('a', async () => 1)).toBe(1);
  expect(await once('a', async () => 2)).toBe(2);
});

test('tries again after a call that throws before it starts', async () => {
  const once = singleFlight<string, number>();
  expect(() => once('a', () => expect.fail('thrown'))).toThrow('thrown');
  expect(await once('a', async () => 1)).toBe(1);
});
