import process from 'node:process';
import { Worker } from 'bullmq';

/** BullMQ with nothing to do in a job: what any worker on it pays at least. */
const worker = new Worker('no-op', async () => undefined, {
  connection: { url: process.env.REDIS_URL ?? '', maxRetriesPerRequest: null },
  concurrency: Number(process.env.WORKER_CONCURRENCY),
});
await worker.waitUntilReady();
process.send?.({ type: 'ready', url: 'no-op' });
