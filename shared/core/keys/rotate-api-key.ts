import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import {
  type ApiKey,
  countValidApiKeys,
  insertApiKey,
  type LockedApiKey,
  lockApiKey,
  lockApiKeys,
  markApiKeyRotated,
} from '#shared/store/keys/api-keys.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { newSecret } from '../secrets/new-secret.ts';
import type { CreatedApiKey } from './create-api-key.ts';
import {
  actorOf,
  earlierOf,
  lockMakingKey,
  makerOf,
  noLongerMember,
  noSuchKey,
  refuseOneTooMany,
  refuseScopesBeyond,
} from './key-permissions.ts';

/**
 * Creates a successor of a key, which stays valid for `overlapHours` (0: it ends now) but never longer than before. The
 * successor of an expiring key lasts as long as that one was created for, but no longer than the key that rotates it.
 * Throws LandfallError `api_key_not_found`, `insufficient_scope` when the key has more scopes than the caller,
 * `revoked_api_key`, or `invalid_state` when it was revoked, has expired, or was rotated before, or when the account
 * has too many keys.
 */
export async function rotateApiKey(
  ctx: CoreContext,
  caller: Caller,
  rotation: { keyId: string; overlapHours: number },
): Promise<CreatedApiKey> {
  const { accountId } = caller;
  const { keyId, overlapHours } = rotation;
  return withAccount(ctx.store, accountId, async (tx) => {
    await lockApiKeys(tx, accountId);
    const maker = await lockMakingKey(tx, caller);
    const locked = await lockApiKey(tx, accountId, { keyId, testOnly: caller.test });
    if (locked === null) throw noSuchKey();
    const { key: old } = locked;
    refuseScopesBeyond(caller, old.scopes);
    refuseEnded(locked);
    // The key that it replaces makes room, at the latest when the overlap ends.
    refuseOneTooMany((await countValidApiKeys(tx, accountId)) - 1);
    const { secret, stored } = newSecret(old.test);
    const { name, scopes } = old;
    const created = await insertApiKey(tx, accountId, {
      ...stored,
      name,
      scopes,
      expiresAt: earlierOf(successorExpiry(old, ctx.now()), maker?.expiresAt ?? null),
      ...makerOf(caller),
    });
    if (created === null) throw noLongerMember();
    const ending = await markApiKeyRotated(tx, accountId, { keyId, successorId: created.id, overlapHours });
    await appendAudit(tx, accountId, {
      actor: actorOf(caller),
      action: 'api_key.rotated',
      subjectType: 'api_key',
      subjectId: keyId,
      requestId: caller.requestId,
      detail: { name, rotatedTo: encodeTypeId('key', created.id), expiresAt: ending.expiresAt },
    });
    return { ...created, secret };
  });
}

function refuseEnded({ key, active }: LockedApiKey): void {
  if (key.rotatedTo !== null) {
    const successor = encodeTypeId('key', key.rotatedTo);
    throw new LandfallError(
      'invalid_state',
      `This key was already rotated to ${successor}. Rotate or revoke that one.`,
    );
  }
  if (active) return;
  throw new LandfallError(
    'invalid_state',
    `This key ${key.revokedAt === null ? 'has expired' : 'was revoked'}. Create a new one instead.`,
  );
}

function successorExpiry(old: ApiKey, now: Date): string | null {
  if (old.expiresAt === null) return null;
  const lifetimeMs = Date.parse(old.expiresAt) - Date.parse(old.createdAt);
  return new Date(now.getTime() + lifetimeMs).toISOString();
}
