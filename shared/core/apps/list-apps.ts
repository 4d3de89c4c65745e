import type { Caller } from '#shared/domain/caller.ts';
import { type ConnectedApp, readApps } from '#shared/store/auth/apps.ts';
import { withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** The apps that are connected to a key of the account, the last one connected first. Another account's key has none. */
export function listApps(ctx: CoreContext, { accountId }: Caller, keyId: string): Promise<ConnectedApp[]> {
  return withAuth(ctx.store, (tx) => readApps(tx, { accountId, keyId }));
}
