import type { Caller } from '#shared/domain/caller.ts';
import { type ApiKey, readApiKeys } from '#shared/store/api-keys.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';

/** All keys of the account, live and test, revoked ones too, newest first. */
export function listApiKeys(ctx: CoreContext, caller: Caller): Promise<ApiKey[]> {
  return withAccount(ctx.store, caller.accountId, (tx) => readApiKeys(tx, caller.accountId));
}
