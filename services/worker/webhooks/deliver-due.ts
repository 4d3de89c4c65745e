import { type DueDelivery, holdBackDueWebhooks, readDueWebhooks } from '#shared/core/webhooks/read-changes.ts';
import { unsentOutcome } from '#shared/domain/webhooks/delivery-outcome.ts';
import type { DeliverContext, EndpointRun } from './endpoint-run.ts';
import { openLane } from './lane.ts';

const batchSize = 100;
const maxHeldBack = 1000;
/** Of the requests of an endpoint; the others are left to new changes. */
const maxRetries = 4;

/** Tries the waiting deliveries whose time has come: retries, those that were sent again, and those of a replay. */
export async function deliverDue(ctx: DeliverContext, run: EndpointRun): Promise<void> {
  const { endpoint, progress, isEnding } = run;
  // Saves a query each time that changes wake many endpoints.
  if (!endpoint.hasDue && !endpoint.isReplayed) return;
  const inOrder = endpoint.ordering === 'shipment';
  const lane = openLane(() => maxRetries);
  while (!isEnding()) {
    const due = await readDueWebhooks(ctx.core, endpoint, { limit: batchSize, inOrder });
    if (due.length === 0) {
      const limit = maxHeldBack;
      while (inOrder && !isEnding() && (await holdBackDueWebhooks(ctx.core, endpoint, { limit })) === limit);
      return;
    }
    const found = await ctx.feeds.at(
      endpoint,
      due.map(({ sequence }) => sequence),
    );
    const tryAgain = async (delivery: DueDelivery): Promise<void> => {
      const waiting = lane.enter();
      if (waiting !== undefined) await waiting;
      try {
        const prepared = found.get(delivery.sequence);
        // The feed keeps changes for 30 days, and removed shipments leave it.
        const outcome =
          prepared === undefined
            ? unsentOutcome({ ...delivery, nextTryInMs: null })
            : await run.deliver(prepared, delivery.tries);
        if (outcome !== null) progress.end(outcome);
      } finally {
        lane.leave();
      }
    };
    await Promise.all(due.map(tryAgain));
    // They would be read again as due.
    await progress.written();
  }
}
