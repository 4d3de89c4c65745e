import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { type ApiKey, markApiKeyRevoked } from '#shared/store/api-keys.ts';
import { appendAudit } from '#shared/store/audit.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';

/**
 * Revokes a key; every process refuses it within one second. Revoking it again changes nothing. Throws LandfallError `api_key_not_found`.
 */
export async function revokeApiKey(ctx: CoreContext, caller: Caller, keyId: string): Promise<ApiKey> {
  return withAccount(ctx.store, caller.accountId, async (tx) => {
    const key = await markApiKeyRevoked(tx, caller.accountId, keyId);
    if (key === null) throw new LandfallError('api_key_not_found', 'There is no API key with this id.');
    await appendAudit(tx, caller.accountId, {
      actor: caller.keyId === null ? 'system' : encodeTypeId('key', caller.keyId),
      action: 'api_key.revoked',
      subjectType: 'api_key',
      subjectId: key.id,
      requestId: caller.requestId,
      detail: { name: key.name },
    });
    return key;
  });
}
