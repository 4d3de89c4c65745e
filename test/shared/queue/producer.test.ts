import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { JobQueue, QueueBackend } from '#shared/queue/connection.ts';
import { openQueueBackend } from '#shared/queue/connection.ts';
import { openProducer } from '#shared/queue/producer.ts';
import { connectionWaitMs } from '#shared/queue/queue-settings.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const connector = 'dcsa';
const items = [{ accountId: randomUUID(), shipmentId: randomUUID(), epoch: 1 }];

/** A queue whose statements wait for a connection as long as they may. */
function producerOfSlowQueue() {
  const slow = () => new Promise<never>((resolve) => setTimeout(() => resolve({} as never), connectionWaitMs));
  const queue: JobQueue = {
    ...{ add: slow, addBulk: slow, getJobCounts: slow, obliterate: slow },
    ...{ waitUntilReady: async () => undefined, disconnect: async () => {}, close: async () => {} },
  };
  const backend: Pick<QueueBackend, 'telemetry' | 'openQueue'> = { telemetry: false, openQueue: () => queue };
  return openProducer(backend as QueueBackend);
}

async function settled(work: Promise<unknown>): Promise<string> {
  const outcome = work.then(
    () => 'queued',
    (error: Error) => error.message,
  );
  await vi.advanceTimersByTimeAsync(connectionWaitMs);
  return outcome;
}

it('lets a sweep wait as long as a statement may wait for its connection', async () => {
  const producer = producerOfSlowQueue();
  expect(await settled(producer.enqueue(connector, items, { linkOnly: true }))).toBe('queued');
  expect(await settled(producer.queueCounts(connector))).toBe('queued');
});

it('lets a client wait for a slow queue for a second', async () => {
  const producer = producerOfSlowQueue();
  expect(await settled(producer.enqueue(connector, items, { linkOnly: false }))).toContain('within 1000 ms');
});

it('reports a queue that does not respond within a second', async () => {
  const responds = producerOfSlowQueue().responds();
  await vi.advanceTimersByTimeAsync(1000);
  expect(await responds).toBe(false);
});

it('renews a lock in PostgreSQL before it ends, however long the renewal waits', () => {
  const settings = { redisUrl: null, databaseUrl: 'postgres://127.0.0.1:1/none', prefix: 'queue', poolSize: 1 };
  const { lockMs } = openQueueBackend({ ...settings, telemetry: false, onError: () => undefined });
  const statementMs = 10_000;
  // BullMQ renews a lock when half of its time is over.
  expect(lockMs / 2 + connectionWaitMs + statementMs).toBeLessThan(lockMs);
});
