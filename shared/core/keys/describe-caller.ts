import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Limits } from '#shared/domain/keys/limits.ts';
import { type CallerKey, readCallerKey } from '#shared/store/keys/caller-key.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** The caller's key, its account and what it may do. Ids are uuids. */
export type CallerDescription = { accountId: string; keyId: string; key: CallerKey; limits: Limits };

/**
 * Describes the key of a request; `limits` are its effective ones. Throws LandfallError `invalid_api_key`,
 * `unavailable`.
 */
export async function describeCaller(ctx: CoreContext, caller: Caller, limits: Limits): Promise<CallerDescription> {
  const { accountId, keyId } = caller;
  const key =
    keyId === null ? null : await withAccount(ctx.store, accountId, (tx) => readCallerKey(tx, accountId, keyId));
  if (key === null || keyId === null) throw new LandfallError('invalid_api_key', 'The API key no longer exists.');
  return { accountId, keyId, key, limits };
}
