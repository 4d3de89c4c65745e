import type { CoreContext } from '#shared/core/core-context.ts';
import type { WebhookConsumer } from '../webhooks/consume.ts';
import type { Waker } from '../webhooks/wake.ts';
import { createSequencer } from './sequence-changes.ts';

const secondMs = 1000;

type FeedContext = { core: CoreContext; webhooks: { waker: Waker } };
type FeedJobOptions = {
  webhookConsumer: Pick<WebhookConsumer, 'renew'>;
  /** Readers of feeds other than webhook endpoints. */
  others: readonly Pick<Waker, 'wake'>[];
  jitter: number;
  signal: AbortSignal;
};

/** The sequences of changes, and what their deliveries need besides the queue. */
export function feedJobs(ctx: FeedContext, { webhookConsumer, others, jitter, signal }: FeedJobOptions) {
  const wakers = [ctx.webhooks.waker, ...others];
  const onSequenced = (accountIds: readonly string[]): void => {
    for (const { wake } of wakers) wake(accountIds);
  };
  return [
    {
      name: 'sequence-changes',
      everyMs: 500,
      maxBackoffMs: 5 * secondMs,
      run: createSequencer(ctx.core, { signal, onSequenced }),
    },
    {
      name: 'sweep-webhooks',
      // Finds retries that are due, and what was not woken.
      everyMs: secondMs,
      jitter,
      maxBackoffMs: 5 * secondMs,
      run: async () => ((await ctx.webhooks.waker.sweep()) ? 0 : undefined),
    },
    {
      name: 'renew-webhooks',
      everyMs: 3 * secondMs,
      maxBackoffMs: secondMs,
      run: async () => void (await webhookConsumer.renew()),
    },
  ];
}
