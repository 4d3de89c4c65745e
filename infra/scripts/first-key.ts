import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { ensureFirstAccount } from '#shared/core/keys/ensure-initial-access.ts';
import { listApiKeys } from '#shared/core/keys/list-api-keys.ts';
import { makeClaimToken } from '#shared/core/people/claim-installation.ts';
import { openScriptCore, operatorOf } from './open-core.ts';

/**
 * `secret` only when the key was made now; `file` where a key made without a terminal was put. `claimToken`: nobody owns the installation yet,
 * and this lets somebody.
 */
export type FirstKey = { secret: string | null; file: string | null; claimToken: string | null };

/**
 * Makes sure that there is an account, and a key for it if it never had one. The key is for a terminal to show once; without a terminal
 * it is written to a file that only this user can read.
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
    // Users and keys that the configuration names are made by the API.
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
