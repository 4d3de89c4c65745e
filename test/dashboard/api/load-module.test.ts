import { expect, it, vi } from 'vitest';
import { loadModule } from '#services/dashboard/api/load-module.ts';

it('tries again and shows the outage until Landfall answers', async () => {
  const answers = [false, false, true];
  const load = vi.fn(async () => {
    if (load.mock.calls.length < 4) throw new TypeError('Failed to fetch dynamically imported module');
    return 'the screen';
  });
  const onWaiting = vi.fn();
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);

  expect(await loadModule(load, { onWaiting, isAnswering: async () => answers.shift() ?? true, pause })).toBe(
    'the screen',
  );
  expect(onWaiting).toHaveBeenCalledTimes(2);
  expect(pauses).toEqual([1000, 2000]);
});

it('fails when Landfall answers without the file of an earlier build', async () => {
  const load = vi.fn(async () => {
    throw new TypeError('not found');
  });
  await expect(loadModule(load, { isAnswering: async () => true })).rejects.toThrow('not found');
  expect(load).toHaveBeenCalledTimes(2);
});
