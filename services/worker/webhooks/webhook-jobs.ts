import type { WorkerContext } from '../context.ts';
import type { WebhookConsumer } from './consume.ts';
import { wakeEndpoints } from './wake.ts';

type Options = { jitter: number; consumer: Pick<WebhookConsumer, 'renew'> };

/** The jobs that keep deliveries going. */
export function webhookJobs(ctx: WorkerContext, { jitter, consumer }: Options) {
  return [
    {
      name: 'sweep-webhooks',
      // Finds retries that are due, and what was not woken.
      everyMs: 1000,
      jitter,
      maxBackoffMs: 5000,
      // At once if there is more.
      run: async () => ((await wakeEndpoints(ctx, null)) ? 0 : undefined),
    },
    {
      name: 'renew-webhooks',
      everyMs: 3000,
      maxBackoffMs: 1000,
      run: async () => void (await consumer.renew()),
    },
  ];
}
