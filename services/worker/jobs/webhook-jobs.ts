import type { WebhookConsumer } from '../webhooks/consume.ts';
import { type WakeContext, wakeEndpoints } from '../webhooks/wake.ts';

const secondMs = 1000;

/** What deliveries need besides the queue. */
export function webhookJobs(
  ctx: WakeContext,
  { webhookConsumer, jitter }: { webhookConsumer: Pick<WebhookConsumer, 'renew'>; jitter: number },
) {
  return [
    {
      name: 'sweep-webhooks',
      // Finds retries that are due, and what was not woken.
      everyMs: secondMs,
      jitter,
      maxBackoffMs: 5 * secondMs,
      run: async () => ((await wakeEndpoints(ctx, null)) ? 0 : undefined),
    },
    {
      name: 'renew-webhooks',
      everyMs: 3 * secondMs,
      maxBackoffMs: secondMs,
      run: async () => void (await webhookConsumer.renew()),
    },
  ];
}
