import type { WebhookState } from '#shared/domain/operations/operations.ts';
import { readWebhookState } from '#shared/store/system/webhook-state.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

const readTimeoutMs = 1500;

/** The webhooks of all accounts. Throws LandfallError `unavailable` if the database is unavailable. */
export function measureWebhooks(ctx: Pick<CoreContext, 'store'>): Promise<WebhookState> {
  return withSystem(ctx.store, async (tx) => {
    await tx.query(`set local statement_timeout = ${readTimeoutMs}`);
    return readWebhookState(tx);
  });
}
