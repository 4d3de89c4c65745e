import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type EndpointUpdate, type HeaderUpdate, maxHeaders } from '#shared/domain/webhooks/endpoint.ts';
import { readEndpointSecrets, updateEndpoint } from '#shared/store/webhooks/endpoints.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { SecretUnreadable } from '../secrets/seal-secret.ts';
import { auditEndpoint, refuseAddress, refuseEmptySelection } from './create-endpoint.ts';
import { openHeaders, sealHeaders } from './endpoint-secrets.ts';
import { getWebhookEndpoint, noSuchEndpoint, type ShownEndpoint, showEndpoint } from './read-endpoints.ts';

/**
 * Changes the settings that are given. Throws LandfallError `webhook_endpoint_not_found`, `validation_failed` for an
 * address that is refused or a selection that is always empty, or `invalid_state` when stored headers can't be read.
 */
export async function updateWebhookEndpoint(
  ctx: CoreContext,
  caller: Caller,
  { id, update }: { id: string; update: EndpointUpdate },
): Promise<ShownEndpoint> {
  const { accountId, test } = caller;
  const { headers, ...rest } = update;
  if (rest.url !== undefined) {
    // Not found comes first: the address of an endpoint that isn't the caller's is none of its business.
    await getWebhookEndpoint(ctx, caller, id);
    await refuseAddress(ctx, caller, rest.url);
  }
  return withAccount(ctx.store, accountId, async (tx) => {
    const found = await readEndpointSecrets(tx, accountId, { id, test }, { lock: true });
    if (found === null) throw noSuchEndpoint();
    const settings = { ...found.endpoint, ...rest };
    refuseEmptySelection(settings);
    const merged =
      headers === undefined
        ? null
        : mergeHeaders(headers === null ? {} : await readHeaders(ctx, { accountId, id }, found.secrets), headers);
    await updateEndpoint(tx, accountId, {
      ...settings,
      headerNames: merged === null ? found.endpoint.headerNames : Object.keys(merged),
      headers: merged === null ? undefined : await sealHeaders(ctx, { accountId, id }, merged),
    });
    await auditEndpoint(tx, caller, {
      action: 'updated',
      id,
      detail: { changed: Object.keys(update), ...urlOf(rest) },
    });
    return showEndpoint(tx, caller, id);
  });
}

function urlOf({ url }: EndpointUpdate): { url?: string } {
  return url === undefined ? {} : { url };
}

/** Names are compared without case; a header keeps the spelling that it was last sent with. */
function mergeHeaders(stored: Readonly<Record<string, string>>, sent: HeaderUpdate): Record<string, string> {
  const merged = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), { name, value }]));
  for (const [name, value] of Object.entries(sent ?? {})) {
    if (value === null) merged.delete(name.toLowerCase());
    else merged.set(name.toLowerCase(), { name, value });
  }
  if (merged.size > maxHeaders) {
    const detail = `headers must have at most ${maxHeaders} entries after merging.`;
    throw new LandfallError('validation_failed', detail, {
      mistakes: [{ pointer: '/headers', code: 'too_long', detail }],
    });
  }
  return Object.fromEntries([...merged.values()].map(({ name, value }) => [name, value]));
}

async function readHeaders(...[ctx, owner, secrets]: Parameters<typeof openHeaders>): Promise<Record<string, string>> {
  try {
    return await openHeaders(ctx, owner, secrets);
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    throw new LandfallError(
      'invalid_state',
      'The stored headers cannot be decrypted with the keys of this installation. Send "headers": null, then set them again.',
    );
  }
}
