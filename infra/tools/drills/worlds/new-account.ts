import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { promisify } from 'node:util';
import { openScriptCore, operatorOf } from '#infra/installation/open-script-core.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';

const unlimited = 1_000_000_000;

/** An account that no other drill uses, with a key that no limit stops. */
export async function newAccount(databaseUrl: string): Promise<{ key: string }> {
  const core = await openScriptCore(databaseUrl, '');
  try {
    const { accountId } = await withSystem(core.store, (tx) => ensureAccount(tx, `drill ${randomUUID()}`));
    await setAccountLimits(core, operatorOf(accountId), {
      read: unlimited,
      write: unlimited,
      batch: unlimited,
      mcp: unlimited,
    });
    return { key: (await createApiKey(core, accountId, { name: 'drill', test: false })).secret };
  } finally {
    await core.close();
  }
}

/**
 * A key of the first account without limits, made by the commands of the build in `sources` on its data `folder`. This
 * build can't read the database of a former one.
 */
export async function newKeyOfBuild(sources: string, folder: string): Promise<{ key: string }> {
  const keys = async (...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'keys', '--', ...args], {
      cwd: sources,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LANDFALL_DATA_DIR: folder },
    });
    return stdout.trim();
  };
  await keys('limits', ...['read', 'write', 'batch', 'mcp'].flatMap((name) => [`--${name}`, String(unlimited)]));
  return { key: await keys('create', '--name', 'drill') };
}
