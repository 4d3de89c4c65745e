import { type Caller, defaultScopes, type Scope } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import {
  type ApiKey,
  countValidApiKeys,
  insertApiKey,
  type KeyMaker,
  lockApiKeys,
} from '#shared/store/keys/api-keys.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { newSecret } from '../secrets/new-secret.ts';
import {
  actorOf,
  earlierOf,
  lockMakingKey,
  makerOf,
  noLongerMember,
  refuseOneTooMany,
  refuseScopesBeyond,
} from './key-permissions.ts';

export type NewKeyInput = {
  name: string;
  scopes?: readonly Scope[];
  /** ISO UTC. Absent or null: never. */
  expiresAt?: string | null;
  test: boolean;
  requestId?: string;
};

/** `secret` is the key itself. It isn't stored and can't be shown again. */
export type CreatedApiKey = ApiKey & { secret: string };

/**
 * Creates an API key for the account on the system's own authority. Default scopes: read and write shipments. Throws
 * LandfallError `invalid_state` when the account has as many keys as it may have.
 */
export function createApiKey(ctx: CoreContext, accountId: string, input: NewKeyInput): Promise<CreatedApiKey> {
  const by = { actor: 'system', createdBy: null, madeWith: null };
  return withAccount(ctx.store, accountId, async (tx) => {
    await lockApiKeys(tx, accountId);
    return insertKey(tx, accountId, { ...input, ...by });
  });
}

async function insertKey(
  tx: Tx,
  accountId: string,
  input: NewKeyInput & KeyMaker & { actor: string },
): Promise<CreatedApiKey> {
  const { name, scopes = defaultScopes, expiresAt = null, createdBy, madeWith } = input;
  const { secret, stored } = newSecret(input.test);
  refuseOneTooMany(await countValidApiKeys(tx, accountId));
  const key = await insertApiKey(tx, accountId, { ...stored, name, scopes, expiresAt, createdBy, madeWith });
  if (key === null) throw noLongerMember();
  await appendAudit(tx, accountId, {
    actor: input.actor,
    action: 'api_key.created',
    subjectType: 'api_key',
    subjectId: key.id,
    requestId: input.requestId ?? null,
    detail: { name: key.name, scopes: key.scopes, test: key.test, expiresAt: key.expiresAt },
  });
  return { ...key, secret };
}

/** Options that a caller may request. `test` absent: a key of the caller's own mode. */
export type KeyRequest = {
  name: string;
  scopes: readonly Scope[];
  expiresAt: string | null;
  test?: boolean | undefined;
};

/**
 * Creates a key for a caller. A key makes none with more scopes than it has or with a later expiry; without one, the
 * new key expires with it. Throws LandfallError `insufficient_scope`, `test_key_not_allowed`, `revoked_api_key`,
 * `invalid_state` when the account has as many keys as it may have, or `validation_failed` when the key would be
 * expired at once or outlive the one that makes it.
 */
export async function createApiKeyFor(ctx: CoreContext, caller: Caller, wanted: KeyRequest): Promise<CreatedApiKey> {
  const test = wanted.test ?? caller.test;
  if (caller.test && !test)
    throw new LandfallError('test_key_not_allowed', 'A test key can only create test keys. Send "test": true.');
  refuseScopesBeyond(caller, wanted.scopes);
  if (wanted.expiresAt !== null && Date.parse(wanted.expiresAt) <= ctx.now().getTime())
    throw wrongExpiry('in_the_past', 'expires_at must be in the future. Leave it out for a key that does not expire.');
  const { accountId, requestId } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    await lockApiKeys(tx, accountId);
    const maker = await lockMakingKey(tx, caller);
    const expiresAt = wanted.expiresAt ?? maker?.expiresAt ?? null;
    if (expiresAt !== earlierOf(expiresAt, maker?.expiresAt ?? null))
      throw wrongExpiry(
        'outlives_creator',
        `A key can't outlive the key that creates it, which expires at ${maker?.expiresAt}.`,
      );
    const by = { ...makerOf(caller), actor: actorOf(caller), requestId };
    return insertKey(tx, accountId, { ...wanted, test, expiresAt, ...by });
  });
}

function wrongExpiry(code: string, detail: string): LandfallError {
  return new LandfallError('validation_failed', detail, { mistakes: [{ pointer: '/expires_at', code, detail }] });
}
