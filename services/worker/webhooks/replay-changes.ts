import { advanceReplay, findRunningReplay, type ReplayedChange } from '#shared/core/webhooks/advance-replay.ts';
import type { DeliverContext, EndpointRun } from './endpoint-run.ts';

/** Makes the deliveries of a running replay due, a page of the feed at a time, until it is done or the turn ends. */
export async function replayChanges(ctx: DeliverContext, run: EndpointRun): Promise<void> {
  const { endpoint, isEnding } = run;
  if (!endpoint.isReplayed) return;
  while (!isEnding()) {
    const replay = await findRunningReplay(ctx.core, endpoint);
    if (replay === null) return;
    const page = await ctx.feeds.after(endpoint, replay.position);
    const changes: ReplayedChange[] = [];
    for (const prepared of page.changes) {
      if (prepared.place.position > replay.to) break;
      if (await run.isWanted(prepared)) changes.push(prepared.place);
    }
    const position = page.upTo <= replay.position ? replay.to : Math.min(page.upTo, replay.to);
    if (!(await advanceReplay(ctx.core, endpoint, { replay, position, changes }))) return;
  }
}
