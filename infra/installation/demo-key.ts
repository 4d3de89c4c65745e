import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { ensureFirstAccount } from '#shared/core/keys/ensure-initial-access.ts';
import { listAllApiKeys } from '#shared/core/keys/list-api-keys.ts';
import { revokeApiKey } from '#shared/core/keys/revoke-api-key.ts';
import { demonstrationKey } from '#shared/domain/registration/demonstration.ts';
import { openScriptCore, operatorOf } from './open-script-core.ts';

/**
 * A new key for the simulated railway, terminal and truck, in place of the one of the last start: it is stored nowhere.
 * Null: the demonstration was removed, which revoked it, or never registered and isn't to be now (`isFirst` false).
 */
export async function replaceDemoKey(
  place: { databaseUrl: string; publicBaseUrl: string },
  { isFirst }: { isFirst: boolean },
): Promise<string | null> {
  const core = await openScriptCore(place.databaseUrl, place.publicBaseUrl);
  try {
    const { accountId } = await ensureFirstAccount(core);
    const operator = operatorOf(accountId);
    const keys = await listAllApiKeys(core, operator);
    const valid = keys.filter(({ name, revokedAt }) => name === demonstrationKey.name && revokedAt === null);
    if (valid.length === 0 && !isFirst) return null;
    for (const { id } of valid) await revokeApiKey(core, operator, id);
    const { secret } = await createApiKey(core, accountId, { ...demonstrationKey, test: false });
    return secret;
  } finally {
    await core.close();
  }
}
