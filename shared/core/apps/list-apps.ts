import type { Caller } from '#shared/domain/caller.ts';
import { type ConnectedApp, readApps } from '#shared/store/auth/apps.ts';
import { readKeyNames } from '#shared/store/keys/api-keys.ts';
import { withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { noSuchKey } from '../keys/key-permissions.ts';

/**
 * The apps that are connected to a key of the account, the last one connected first. Throws LandfallError
 * `api_key_not_found`.
 */
export function listApps(ctx: CoreContext, { accountId }: Caller, keyId: string): Promise<ConnectedApp[]> {
  return withAuth(ctx.store, async (tx) => {
    if (!(await readKeyNames(tx, accountId, [keyId])).has(keyId)) throw noSuchKey();
    return readApps(tx, { accountId, keyId });
  });
}
