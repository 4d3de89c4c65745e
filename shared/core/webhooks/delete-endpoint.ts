import type { Caller } from '#shared/domain/caller.ts';
import { deleteEndpoint, readEndpoint } from '#shared/store/webhooks/endpoints.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { auditEndpoint } from './create-endpoint.ts';
import { noSuchEndpoint } from './read-endpoints.ts';

/** Nothing more is delivered to it; what is under way ends. Throws LandfallError `webhook_endpoint_not_found`. */
export async function deleteWebhookEndpoint(ctx: CoreContext, caller: Caller, id: string): Promise<void> {
  const { accountId, test } = caller;
  await withAccount(ctx.store, accountId, async (tx) => {
    const endpoint = await readEndpoint(tx, accountId, { id, test });
    if (endpoint === null) throw noSuchEndpoint();
    await deleteEndpoint(tx, accountId, id);
    await auditEndpoint(tx, caller, { action: 'deleted', id, detail: { url: endpoint.url } });
  });
}
