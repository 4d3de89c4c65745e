import type { Caller, Scope } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { maxValidApiKeys } from '#shared/domain/keys/api-key.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { type ApiKey, type KeyMaker, lockApiKey } from '#shared/store/keys/api-keys.ts';
import type { Tx } from '#shared/store/with-account.ts';

/**
 * The caller's key, which is about to make another one. Null for a user. It stays locked until the transaction ends, so
 * that it makes none after it was revoked. Throws LandfallError `revoked_api_key` or `expired_api_key`.
 */
export async function lockMakingKey(tx: Tx, caller: Caller): Promise<ApiKey | null> {
  if (caller.keyId === null) return null;
  const locked = await lockApiKey(tx, caller.accountId, { keyId: caller.keyId, testOnly: false });
  if (locked?.active === true) return locked.key;
  if (locked !== null && locked.key.revokedAt === null)
    throw new LandfallError('expired_api_key', 'The API key has expired. Use another key.');
  throw new LandfallError('revoked_api_key', 'The API key was revoked. Use another key.');
}

/** The creator of a key, as stored with it. */
export function makerOf({ userId, keyId }: Caller): KeyMaker {
  return { createdBy: userId ?? null, madeWith: keyId };
}

/** Prevents privilege escalation through a new key with more scopes. Throws LandfallError `insufficient_scope`. */
export function refuseScopesBeyond(caller: Caller, scopes: readonly Scope[]): void {
  const lacking = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (lacking.length === 0) return;
  throw new LandfallError(
    'insufficient_scope',
    `A key can only grant scopes that it has. This one lacks ${lacking.join(', ')}.`,
  );
}

/** The earlier of two expiries, ISO UTC. Null: never. */
export function earlierOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return Date.parse(other) < Date.parse(one) ? other : one;
}

/** `valid`: how many keys the account has. Throws LandfallError `invalid_state` when there is no room for another. */
export function refuseOneTooMany(valid: number): void {
  if (valid < maxValidApiKeys) return;
  throw new LandfallError(
    'invalid_state',
    `The account has ${valid} valid API keys, and ${maxValidApiKeys} is the maximum. Revoke one that is not needed.`,
  );
}

/** The actor, for the audit log. */
export function actorOf(caller: Caller): string {
  if (caller.userId !== undefined) return encodeTypeId('user', caller.userId);
  return caller.keyId === null ? 'system' : encodeTypeId('key', caller.keyId);
}

/** The user was removed while the request was running. */
export function noLongerMember(): LandfallError {
  return new LandfallError('account_not_found', 'Account not found.');
}

export function noSuchKey(): LandfallError {
  return new LandfallError('api_key_not_found', 'API key not found.');
}
