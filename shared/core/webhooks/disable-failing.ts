import { webhookDisabled } from '#shared/domain/alerts/notice.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { FailureReason } from '#shared/domain/webhooks/endpoint.ts';
import { appendEndpointChange } from '#shared/store/feed/changes.ts';
import { disableEndpoint, readEndpoint } from '#shared/store/webhooks/endpoints.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { appendNotice } from '../notices/notify-owners.ts';
import type { HeldEndpoint } from './claim-endpoints.ts';

/**
 * Disables an endpoint that does not receive and that the worker still has, and says so in the feed and to the account's
 * owners. Idempotent.
 */
export async function disableFailingEndpoint(
  ctx: CoreContext,
  { accountId, endpointId, epoch, test }: Pick<HeldEndpoint, 'accountId' | 'endpointId' | 'epoch' | 'test'>,
  reason: FailureReason,
): Promise<void> {
  const isDisabled = await withAccount(ctx.store, accountId, async (tx) => {
    if (!(await disableEndpoint(tx, accountId, { id: endpointId, reason, epoch }))) return false;
    const endpoint = await readEndpoint(tx, accountId, { id: endpointId, test });
    if (endpoint === null) return false;
    const { id, url, description } = endpoint;
    const data = { webhookEndpoint: { id, url, description, reason } };
    await appendEndpointChange(tx, accountId, { test, data, traceparent: ctx.traceparent() });
    const publicId = encodeTypeId('whe', id);
    const at = ctx.now().toISOString();
    await appendNotice(tx, accountId, webhookDisabled({ id, url, reason }, { publicId, test, at }));
    return true;
  });
  if (isDisabled)
    ctx.log.warn(
      { account_id: accountId, endpoint_id: encodeTypeId('whe', endpointId), reason },
      'webhook endpoint disabled',
    );
}
