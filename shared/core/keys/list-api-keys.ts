import type { Caller } from '#shared/domain/caller.ts';
import { type ApiKey, readApiKeys, readKeysInUse } from '#shared/store/keys/api-keys.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** `after`: the uuid of the last key of the previous page. */
export type KeyPage = { limit: number; after: string | null };

/** One page of the account's keys, including revoked ones, newest first. A test key sees test keys only. */
export async function listApiKeys(
  ctx: CoreContext,
  caller: Caller,
  page: KeyPage,
): Promise<{ keys: ApiKey[]; hasMore: boolean }> {
  const { accountId } = caller;
  const found = await withAccount(ctx.store, accountId, (tx) =>
    readApiKeys(tx, accountId, { testOnly: caller.test, after: page.after, limit: page.limit + 1 }),
  );
  return { keys: found.slice(0, page.limit), hasMore: found.length > page.limit };
}

/** Every key of the account, read page by page. */
export async function listAllApiKeys(ctx: CoreContext, caller: Caller): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for (;;) {
    const page = await listApiKeys(ctx, caller, { limit: 1000, after: keys.at(-1)?.id ?? null });
    keys.push(...page.keys);
    if (!page.hasMore) return keys;
  }
}

/** The account's keys that were used within the last 3 minutes, most recent first, at most 50. */
export function listKeysInUse(ctx: CoreContext, { accountId }: Caller): Promise<{ id: string; name: string }[]> {
  return withAccount(ctx.store, accountId, (tx) => readKeysInUse(tx, accountId, { minutes: 3, limit: 50 }));
}
