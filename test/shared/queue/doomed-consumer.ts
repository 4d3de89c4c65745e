import { openQueueBackend } from '#shared/queue/connection.ts';
import { openConsumer } from '#shared/queue/consumer.ts';
import { queueNameOf } from '#shared/queue/producer.ts';

// A worker process for tests: it takes a job, reports that, and never finishes it.
const [settings, connector] = process.argv.slice(2);
openConsumer(openQueueBackend({ ...JSON.parse(settings ?? ''), onError: () => undefined }), {
  queue: queueNameOf(connector ?? ''),
  job: 'refresh-shipment',
  concurrency: 1,
  lockDurationMs: 1000,
  stalledIntervalMs: 500,
  handle: () => {
    process.send?.('taken');
    return new Promise(() => undefined);
  },
});
