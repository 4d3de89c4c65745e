import { expect, it } from 'vitest';
import { createQueueFaultFinder } from '#shared/queue/find-queue-fault.ts';
import type { RedisFacts } from '#shared/queue/inspect-redis.ts';

const nodeWith = (maxmemoryPolicy: string | null) => ({ maxmemoryPolicy }) as RedisFacts;

it('finds a Redis that evicts keys until its policy is noeviction, and inspects it every 30 s', async () => {
  let policies: (string | null)[] | null = ['noeviction', 'allkeys-lru'];
  let inspections = 0;
  let nowMs = 0;
  let isReached = true;
  const findFault = createQueueFaultFinder({ responds: async () => isReached }, 'redis://queue', {
    inspect: async () => {
      inspections += 1;
      if (policies === null) throw new Error('refused');
      return policies.map(nodeWith);
    },
    nowMs: () => nowMs,
  });
  expect(await findFault()).toBe('evicting keys (maxmemory-policy allkeys-lru)');
  isReached = false;
  expect(await findFault()).toBe('unavailable');
  isReached = true;
  policies = null;
  nowMs = 30_000;
  expect(await findFault()).toBe('evicting keys (maxmemory-policy allkeys-lru)');
  policies = ['noeviction', null];
  nowMs = 59_000;
  expect(await findFault()).not.toBeNull();
  nowMs = 60_000;
  expect(await findFault()).toBeNull();
  expect(inspections).toBe(3);
});

it('inspects nothing when the queue is in PostgreSQL', async () => {
  const findFault = createQueueFaultFinder({ responds: async () => true }, null, {
    inspect: () => Promise.reject(new Error('inspected')),
  });
  expect(await findFault()).toBeNull();
});
