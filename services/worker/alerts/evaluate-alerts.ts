import { readWebhookFilter } from '#shared/contract/webhooks/webhook-filter.ts';
import { type AlertClaim, claimAlertFeeds, releaseAlertFeeds } from '#shared/core/alerts/claim-feeds.ts';
import { evaluateNextPage } from '#shared/core/alerts/evaluate-feed.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import type { StoredFilter } from '#shared/domain/alerts/saved-view.ts';

export type EvaluateContext = { core: CoreContext; signal: AbortSignal };

const maxFeeds = 4;
/** Pages of one feed in a row, so that one account's flood leaves time for others. */
const pagesPerTurn = 20;

/** Reads the stored filter of a view. Null: this release can't. */
export const readViewFilter = (filter: StoredFilter) => readWebhookFilter(filter);

/** Claims feeds that have grown, evaluates their changes and gives them back. Returns whether there may be more. */
export async function evaluateAlerts(
  { core, signal }: EvaluateContext,
  accountIds: readonly string[] | null,
): Promise<boolean> {
  const claims = await claimAlertFeeds(core, accountIds, maxFeeds);
  const results = await Promise.allSettled(claims.map((claim) => evaluateFeed({ core, signal }, claim)));
  await releaseAlertFeeds(core, claims);
  const failure = results.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
  return claims.length >= maxFeeds || results.some((result) => result.status === 'fulfilled' && result.value);
}

async function evaluateFeed({ core, signal }: EvaluateContext, claim: AlertClaim): Promise<boolean> {
  for (let page = 0; page < pagesPerTurn; page += 1) {
    if (signal.aborted) return false;
    if (!(await evaluateNextPage(core, claim, readViewFilter))) return false;
  }
  return true;
}
