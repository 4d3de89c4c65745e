import process from 'node:process';
import { Worker } from 'bullmq';

/** A BullMQ worker whose jobs do nothing: the minimum cost of any worker on BullMQ. */
const worker = new Worker('no-op', async () => undefined, {
  connection: { url: process.env.REDIS_URL ?? '', maxRetriesPerRequest: null },
  concurrency: Number(process.env.WORKER_CONCURRENCY),
});
await worker.waitUntilReady();
process.send?.({ type: 'ready', url: 'no-op' });
