import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { CoreContext } from '#shared/core/core-context.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { ensureFirstAccount } from '#shared/core/keys/ensure-initial-access.ts';
import { listApiKeys } from '#shared/core/keys/list-api-keys.ts';
import { makeClaimToken } from '#shared/core/members/claim-installation.ts';
import { defaultScopes } from '#shared/domain/caller.ts';
import { linkTo } from './link-to.ts';
import { openScriptCore, operatorOf } from './open-script-core.ts';

/**
 * `secret`: only if this call created the key. `file`: where a key created without a terminal is stored.
 * `claimLink`: only while the installation has no owner; `claimFile`: where it is stored without a terminal.
 */
export type FirstKey = {
  secret: string | null;
  file: string | null;
  claimLink: string | null;
  claimFile: string | null;
};

/**
 * Creates the first account, and a key for it if it never had one. A terminal shows the key and the claim link; without
 * one they are written to files that only this user can read, because others read the log that the output ends up in.
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
    const claim = await writeClaim(core, place, configured.admin);
    const { keys } = await listApiKeys(core, operatorOf(accountId), { limit: 1, after: null });
    if (keys.length > 0 || configured.apiKey) return { secret: null, file: existsSync(file) ? file : null, ...claim };
    const scopes = [...defaultScopes, 'shares:write', 'webhooks:manage'] as const;
    const { secret } = await createApiKey(core, accountId, { name: 'first key', test: false, scopes });
    if (process.stdout.isTTY) return { secret, file: null, ...claim };
    writeForUser(file, secret);
    return { secret, file, ...claim };
  } finally {
    await core.close();
  }
}

/** Each start makes a new link, which replaces the one before. */
async function writeClaim(
  core: CoreContext,
  { publicBaseUrl, dataFolder }: { publicBaseUrl: string; dataFolder: string },
  hasAdmin: boolean,
): Promise<Pick<FirstKey, 'claimLink' | 'claimFile'>> {
  const file = join(dataFolder, 'claim-link');
  rmSync(file, { force: true });
  const token = hasAdmin ? null : await makeClaimToken(core);
  if (token === null) return { claimLink: null, claimFile: null };
  const claimLink = linkTo('claim', publicBaseUrl, token);
  if (process.stdout.isTTY) return { claimLink, claimFile: null };
  writeForUser(file, claimLink);
  return { claimLink, claimFile: file };
}

function writeForUser(file: string, text: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
}
