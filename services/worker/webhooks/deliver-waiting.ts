import { advanceReplay, findRunningReplay, type ReplayedChange } from '#shared/core/webhooks/advance-replay.ts';
import { deliverDue } from './deliver-due.ts';
import type { DeliverContext, EndpointRun } from './endpoint-run.ts';

/**
 * Delivers what waits: retries that are due, and then the running replay, a page of the feed at a time. A page is
 * delivered before the next one is made due. A replay of a million changes otherwise holds up the retries behind it.
 */
export async function deliverWaiting(ctx: DeliverContext, run: EndpointRun): Promise<void> {
  await deliverDue(ctx, run);
  while (await replayNext(ctx, run)) await deliverDue(ctx, run);
}

/** Makes the next deliveries of the running replay due. False: it is done, there is none, or the turn ends. */
async function replayNext(ctx: DeliverContext, run: EndpointRun): Promise<boolean> {
  const { endpoint, isEnding } = run;
  if (!endpoint.isReplayed) return false;
  while (!isEnding()) {
    const replay = await findRunningReplay(ctx.core, endpoint);
    if (replay === null) return false;
    const page = await ctx.feeds.after(endpoint, replay.sequence);
    const changes: ReplayedChange[] = [];
    for (const prepared of page.changes) {
      if (prepared.place.sequence > replay.to) break;
      if (await run.isWanted(prepared)) changes.push(prepared.place);
    }
    const sequence = page.upTo <= replay.sequence ? replay.to : Math.min(page.upTo, replay.to);
    if (!(await advanceReplay(ctx.core, endpoint, { replay, sequence, changes }))) return false;
    if (changes.length > 0) return true;
  }
  return false;
}
