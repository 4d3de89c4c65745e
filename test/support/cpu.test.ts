import { expect, test } from 'vitest';
import { cpuMsOf, leastMsOf } from './cpu.ts';

test('a cost is measured again until it is within the limit, at most four times', async () => {
  const measured = (costs: number[]) => leastMsOf(50, async () => costs.shift() ?? Number.NaN);
  const costs = [90, 40, 10];
  expect(await measured(costs)).toBe(40);
  expect(costs).toEqual([10]);
  expect(await measured([90, 80, 70, 85, 10])).toBe(70);
});

test('waiting costs no CPU time, and work does', async () => {
  expect(await cpuMsOf(() => new Promise((resolve) => setTimeout(resolve, 100)))).toBeLessThan(50);
  const work = async () => {
    const until = process.threadCpuUsage().user + 100_000;
    while (process.threadCpuUsage().user < until);
  };
  // At most a tenth as fast as the reference machine.
  expect(await cpuMsOf(work)).toBeGreaterThan(10);
});
