import type { Caller } from '#shared/domain/caller.ts';
import { demonstrationKey, isDemonstrationTerm } from '#shared/domain/registration/demonstration.ts';
import { maxEndpoints } from '#shared/domain/webhooks/endpoint.ts';
import type { CoreContext } from '../core-context.ts';
import { getFreeTimeTerms, replaceFreeTimeTerms } from '../free-time/replace-terms.ts';
import { listAllApiKeys } from '../keys/list-api-keys.ts';
import { revokeApiKey } from '../keys/revoke-api-key.ts';
import { listShipments } from '../lists/list-shipments.ts';
import { archiveShipment } from '../shipments/update-shipment.ts';
import { deleteWebhookEndpoint } from '../webhooks/delete-endpoint.ts';
import { listWebhookEndpoints } from '../webhooks/read-endpoints.ts';

/** Marks demonstration shipments: they have both the tag and the prefix. Its endpoints have both the words and the path. */
const demonstration = { tag: 'demo', referencePrefix: 'demo-', description: 'Demo: ', path: '/receiver/' };

/**
 * Revokes the key of the demonstration's sources, deletes its webhook endpoints and free-time terms, and archives the
 * account's demonstration shipments one by one, as a client would. Returns how many shipments there were.
 */
export async function wipeDemonstration(ctx: CoreContext, caller: Caller): Promise<number> {
  for (const { id, name, revokedAt } of await listAllApiKeys(ctx, caller))
    if (name === demonstrationKey.name && revokedAt === null) await revokeApiKey(ctx, caller, id);
  await removeTerms(ctx, caller);
  const { endpoints } = await listWebhookEndpoints(ctx, caller, { limit: maxEndpoints, after: null });
  for (const { id, url, description } of endpoints)
    if (description?.startsWith(demonstration.description) && new URL(url).pathname.startsWith(demonstration.path))
      await deleteWebhookEndpoint(ctx, caller, id);
  let archived = 0;
  for (;;) {
    const filter = { tag: [demonstration.tag] };
    const page = await listShipments(ctx, caller, {
      filter,
      sort: '-created_at',
      limit: 100,
      cursor: null,
      withCounts: false,
    });
    const found = page.shipments.filter(({ reference }) => reference?.startsWith(demonstration.referencePrefix));
    for (const { id } of found) await archiveShipment(ctx, caller, id);
    archived += found.length;
    if (found.length === 0) return archived;
  }
}

/** Rows that were changed or added since are the account's own. */
async function removeTerms(ctx: CoreContext, caller: Caller): Promise<void> {
  const { terms, version } = await getFreeTimeTerms(ctx, caller);
  const own = terms.filter((row) => !isDemonstrationTerm(row));
  if (own.length === terms.length) return;
  await replaceFreeTimeTerms(ctx, caller, { terms: own, isExpected: (present) => present === version });
}
