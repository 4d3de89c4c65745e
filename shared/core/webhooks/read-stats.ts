import type { Caller } from '#shared/domain/caller.ts';
import { maxCountedBacklog } from '#shared/domain/webhooks/endpoint.ts';
import type { EndpointStats } from '#shared/domain/webhooks/stats.ts';
import { readBacklogs } from '#shared/store/webhooks/backlog.ts';
import { readEndpoint } from '#shared/store/webhooks/endpoints.ts';
import { readStats } from '#shared/store/webhooks/stats.ts';
import { withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { noSuchEndpoint } from './read-endpoints.ts';

/**
 * Reads the delivery statistics of an endpoint for the last hours. Throws LandfallError `webhook_endpoint_not_found`.
 */
export async function getWebhookStats(
  ctx: CoreContext,
  { accountId, test }: Caller,
  { id, hours }: { id: string; hours: number },
): Promise<EndpointStats> {
  return withAccountReads(ctx.store, accountId, async (tx) => {
    if ((await readEndpoint(tx, accountId, { id, test })) === null) throw noSuchEndpoint();
    const stats = await readStats(tx, accountId, { endpointId: id, test, hours });
    const backlogs = await readBacklogs(tx, accountId, { test, ids: [id], max: maxCountedBacklog });
    return { ...stats, backlog: backlogs.get(id) ?? { changes: 0, waiting: 0 } };
  });
}
