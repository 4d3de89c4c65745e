import { operatorOf } from '#infra/installation/open-script-core.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { ensureFirstAccount } from '#shared/core/keys/ensure-initial-access.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { openBenchCore } from './service-env.ts';

const unlimited = 1_000_000_000;

/** The first account of a database, with an unlimited key. */
export async function openBenchAccount(databaseUrl: string): Promise<{ accountId: string; key: string }> {
  const core = await openBenchCore(databaseUrl);
  try {
    const { accountId } = await ensureFirstAccount(core);
    await setAccountLimits(core, operatorOf(accountId), {
      read: unlimited,
      write: unlimited,
      batch: unlimited,
      mcp: unlimited,
    });
    return { accountId, key: (await createApiKey(core, accountId, { name: 'bench', test: false })).secret };
  } finally {
    await core.close();
  }
}
