import { type Caller, defaultScopes, type Scope } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type ApiKey, insertApiKey, lockValidApiKeyCount } from '#shared/store/keys/api-keys.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf, refuseOneTooMany, refuseScopesBeyond } from './key-permissions.ts';
import { newSecret } from './new-secret.ts';

export type NewKeyInput = {
  name: string;
  scopes?: readonly Scope[];
  /** ISO UTC. Absent or null: never. */
  expiresAt?: string | null;
  test: boolean;
  /** For the audit log: the public id of a key or user. Default: `system`. */
  actor?: string;
  requestId?: string;
};

/** `secret` is the key itself. It isn't stored and can't be shown again. */
export type CreatedApiKey = ApiKey & { secret: string };

/**
 * Creates an API key for the account on the system's own authority. Default scopes: read and write shipments. Throws
 * LandfallError `invalid_state` when the account has as many keys as it may have.
 */
export async function createApiKey(ctx: CoreContext, accountId: string, input: NewKeyInput): Promise<CreatedApiKey> {
  const { secret, stored } = newSecret(input.test);
  const scopes = input.scopes ?? defaultScopes;
  const created = await withAccount(ctx.store, accountId, async (tx) => {
    refuseOneTooMany(await lockValidApiKeyCount(tx, accountId));
    const key = await insertApiKey(tx, accountId, {
      ...stored,
      name: input.name,
      scopes,
      expiresAt: input.expiresAt ?? null,
    });
    await appendAudit(tx, accountId, {
      actor: input.actor ?? 'system',
      action: 'api_key.created',
      subjectType: 'api_key',
      subjectId: key.id,
      requestId: input.requestId ?? null,
      detail: { name: key.name, scopes: key.scopes, test: key.test, expiresAt: key.expiresAt },
    });
    return key;
  });
  return { ...created, secret };
}

/** What a caller may request. `test` absent: a key of the caller's own mode. */
export type KeyRequest = {
  name: string;
  scopes: readonly Scope[];
  expiresAt: string | null;
  test?: boolean | undefined;
};

/**
 * Creates a key for a caller, with no more scopes than the caller has. Throws LandfallError `insufficient_scope`,
 * `test_key_not_allowed`, `invalid_state`, or `validation_failed` when the key would be expired at once.
 */
export async function createApiKeyFor(ctx: CoreContext, caller: Caller, wanted: KeyRequest): Promise<CreatedApiKey> {
  const test = wanted.test ?? caller.test;
  if (caller.test && !test)
    throw new LandfallError('test_key_not_allowed', 'A test key can only create test keys. Send "test": true.');
  refuseScopesBeyond(caller, wanted.scopes);
  if (wanted.expiresAt !== null && Date.parse(wanted.expiresAt) <= ctx.now().getTime()) {
    const detail = 'expires_at must be in the future. Leave it out for a key that does not expire.';
    throw new LandfallError('validation_failed', detail, {
      mistakes: [{ pointer: '/expires_at', code: 'in_the_past', detail }],
    });
  }
  return createApiKey(ctx, caller.accountId, { ...wanted, test, actor: actorOf(caller), requestId: caller.requestId });
}
