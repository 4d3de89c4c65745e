import { randomUUID } from 'node:crypto';
import { openScriptCore, operatorOf } from '#infra/installation/open-script-core.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';

const unlimited = 1_000_000_000;

/** An account that no other drill uses, with a key that no limit stops. */
export async function newAccount(databaseUrl: string): Promise<{ accountId: string; key: string }> {
  const core = await openScriptCore(databaseUrl, '');
  try {
    const { accountId } = await withSystem(core.store, (tx) => ensureAccount(tx, `drill ${randomUUID()}`));
    await setAccountLimits(core, operatorOf(accountId), {
      read: unlimited,
      write: unlimited,
      batch: unlimited,
      mcp: unlimited,
    });
    return { accountId, key: (await createApiKey(core, accountId, { name: 'drill', test: false })).secret };
  } finally {
    await core.close();
  }
}
