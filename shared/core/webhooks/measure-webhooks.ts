import { limitReadTime } from '#shared/store/system/operations.ts';
import { readWebhookState } from '#shared/store/webhooks/measure.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** `oldestAgeS`: of the oldest change that an enabled endpoint has not come to yet. Null: there is none. */
export type WebhookFigures = { backlog: number; oldestAgeS: number | null; failing: number };

/** Backlog, oldest unsent change and failing endpoints of all accounts. */
export async function measureWebhooks(ctx: Pick<CoreContext, 'store'>): Promise<WebhookFigures> {
  const { unsent, waiting, unsentAgeS, failing } = await withSystem(ctx.store, async (tx) => {
    await limitReadTime(tx);
    return readWebhookState(tx);
  });
  return { backlog: unsent + waiting, oldestAgeS: unsentAgeS === 0 ? null : unsentAgeS, failing };
}
