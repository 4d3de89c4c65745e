import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { ensureFirstAccount } from '#shared/core/keys/ensure-initial-access.ts';
import { listApiKeys } from '#shared/core/keys/list-api-keys.ts';
import { makeClaimToken } from '#shared/core/people/claim-installation.ts';
import { openScriptCore, operatorOf } from './open-script-core.ts';

/**
 * `secret`: only if this call created the key. `file`: where a key created without a terminal is stored.
 * `claimToken`: only while the installation has no owner.
 */
export type FirstKey = { secret: string | null; file: string | null; claimToken: string | null };

/**
 * Creates the first account, and a key for it if it never had one. A terminal shows the key once; without a terminal it
 * is written to a file that only this user can read.
 */
export async function ensureFirstKey(
  place: { databaseUrl: string; publicBaseUrl: string; dataFolder: string },
  configured: { admin: boolean; apiKey: boolean },
): Promise<FirstKey> {
  const { databaseUrl, publicBaseUrl, dataFolder } = place;
  const core = await openScriptCore(databaseUrl, publicBaseUrl);
  try {
    const file = join(dataFolder, 'first-api-key');
    const { accountId } = await ensureFirstAccount(core);
    // The API creates the users and keys that the configuration names.
    const claimToken = configured.admin ? null : await makeClaimToken(core);
    const { keys } = await listApiKeys(core, operatorOf(accountId), { limit: 1, after: null });
    if (keys.length > 0 || configured.apiKey) return { secret: null, file: existsSync(file) ? file : null, claimToken };
    const { secret } = await createApiKey(core, accountId, { name: 'first key', test: false });
    if (process.stdout.isTTY) return { secret, file: null, claimToken };
    rmSync(file, { force: true });
    writeFileSync(file, secret, { mode: 0o600, flag: 'wx' });
    return { secret, file, claimToken };
  } finally {
    await core.close();
  }
}
