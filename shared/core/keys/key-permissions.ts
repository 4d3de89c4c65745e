import type { Caller, Scope } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { maxValidApiKeys } from '#shared/domain/keys/api-key.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';

/** Prevents privilege escalation through a new key with more scopes. Throws LandfallError `insufficient_scope`. */
export function refuseScopesBeyond(caller: Caller, scopes: readonly Scope[]): void {
  const lacking = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (lacking.length === 0) return;
  throw new LandfallError(
    'insufficient_scope',
    `A key can only grant scopes that it has. This one lacks ${lacking.join(', ')}.`,
  );
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

export function noSuchKey(): LandfallError {
  return new LandfallError('api_key_not_found', 'API key not found.');
}
