import { readWebhookFigures, type WebhookFigures } from '#shared/store/system-webhooks/measure.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Backlog, oldest undelivered change and failing endpoints of all accounts. */
export async function measureWebhooks(ctx: CoreContext): Promise<WebhookFigures> {
  return withSystem(ctx.store, readWebhookFigures);
}
