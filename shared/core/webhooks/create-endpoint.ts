import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import {
  type EndpointSettings,
  type EndpointUpdate,
  maxEndpoints,
  newEndpointSettings,
  selectsNothing,
} from '#shared/domain/webhooks/endpoint.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { countEndpoints, insertEndpoint, lockEndpoints } from '#shared/store/webhooks/endpoints.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { newWebhookSecret, sealHeaders } from './endpoint-secrets.ts';
import { type ShownEndpoint, showEndpoint } from './read-endpoints.ts';
import { webhookSendingOf } from './webhook-sending.ts';

/**
 * Creates an endpoint of the caller's mode, which begins with the next change. `secret` isn't shown again. Throws
 * LandfallError `validation_failed` for an address that is refused or a selection that is always empty, or
 * `invalid_state` when the account has as many endpoints as it may have or the installation cannot store secrets.
 */
export async function createWebhookEndpoint(
  ctx: CoreContext,
  caller: Caller,
  wanted: EndpointUpdate & { url: string },
): Promise<ShownEndpoint & { secret: string }> {
  const { accountId, test } = caller;
  const { headers: given, ...rest } = wanted;
  const settings: EndpointSettings = { ...newEndpointSettings, ...rest };
  refuseEmptySelection(settings);
  await refuseAddress(ctx, caller, settings.url);
  const id = uuidv7(ctx.now().getTime(), globalThis.crypto.getRandomValues(new Uint8Array(10)));
  const headers = Object.fromEntries(Object.entries(given ?? {}).filter((entry) => entry[1] !== null)) as Headers;
  const { secret, stored } = await newWebhookSecret(ctx, { accountId, id });
  const sealedHeaders = await sealHeaders(ctx, { accountId, id }, headers);
  const headerNames = Object.keys(headers);
  return withAccount(ctx.store, accountId, async (tx) => {
    await lockEndpoints(tx, accountId);
    refuseOneTooMany(await countEndpoints(tx, accountId));
    await insertEndpoint(tx, accountId, { ...settings, id, test, headerNames, secret: stored, headers: sealedHeaders });
    const { url, payload, types } = settings;
    await auditEndpoint(tx, caller, { action: 'created', id, detail: { url, payload, types, test } });
    return { ...(await showEndpoint(tx, caller, id)), secret };
  });
}

type Headers = Record<string, string>;

function refuseOneTooMany(count: number): void {
  if (count < maxEndpoints) return;
  throw new LandfallError(
    'invalid_state',
    `The account has ${count} webhook endpoints, and ${maxEndpoints} is the maximum. Delete one that is not needed.`,
  );
}

/** Throws LandfallError `validation_failed`. */
export function refuseEmptySelection(settings: EndpointSettings): void {
  if (!selectsNothing(settings)) return;
  const detail = `filter selects shipments, but types has only changes without one: ${settings.types?.join(', ')}.`;
  throw new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/filter', code: 'contradiction', detail }],
  });
}

/** Throws LandfallError `validation_failed` when Landfall would not send to this address. */
export async function refuseAddress(ctx: CoreContext, { test }: Caller, url: string): Promise<void> {
  const refusal = await webhookSendingOf(ctx).checkAddress(url, { test });
  if (refusal === null) return;
  const { code, detail } = refusal;
  throw new LandfallError('validation_failed', detail, { mistakes: [{ pointer: '/url', code, detail }] });
}

/** `detail` has no secret and no value of a header. */
export async function auditEndpoint(
  tx: Tx,
  caller: Caller,
  { action, id, detail }: { action: string; id: string; detail: Record<string, unknown> },
): Promise<void> {
  await appendAudit(tx, caller.accountId, {
    actor: actorOf(caller),
    action: `webhook_endpoint.${action}`,
    subjectType: 'webhook_endpoint',
    subjectId: id,
    requestId: caller.requestId,
    detail,
  });
}
