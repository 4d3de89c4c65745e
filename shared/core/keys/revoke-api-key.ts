import type { Caller } from '#shared/domain/caller.ts';
import { type ApiKey, lockApiKey, markApiKeyRevoked } from '#shared/store/keys/api-keys.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf, noSuchKey } from './key-permissions.ts';

/**
 * Revokes a key; every process refuses it within one second. Idempotent. A key may revoke itself. Throws LandfallError
 * `api_key_not_found`.
 */
export async function revokeApiKey(ctx: CoreContext, caller: Caller, keyId: string): Promise<ApiKey> {
  const { accountId } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const locked = await lockApiKey(tx, accountId, { keyId, testOnly: caller.test });
    if (locked === null) throw noSuchKey();
    if (locked.key.revokedAt !== null) return locked.key;
    const key = await markApiKeyRevoked(tx, accountId, keyId);
    await appendAudit(tx, accountId, {
      actor: actorOf(caller),
      action: 'api_key.revoked',
      subjectType: 'api_key',
      subjectId: key.id,
      requestId: caller.requestId,
      detail: { name: key.name },
    });
    return key;
  });
}
