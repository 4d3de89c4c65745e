import { apiKeyBody, formatApiKey, parseApiKey } from '#shared/domain/api-key.ts';
import { defaultScopes, type Scope } from '#shared/domain/caller.ts';
import { type ApiKey, insertApiKey } from '#shared/store/api-keys.ts';
import { appendAudit } from '#shared/store/audit.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';
import { sha256Hex } from './sha256-hex.ts';

export type NewKeyInput = {
  name: string;
  scopes?: readonly Scope[];
  /** ISO UTC; absent or null: never. */
  expiresAt?: string | null;
  test: boolean;
  /** Who makes it, for the audit log: the public id of a key; `system` when absent. */
  actor?: string;
  requestId?: string;
};

/** `secret` is the key itself. It is stored nowhere and can never be shown again. */
export type CreatedApiKey = ApiKey & { secret: string };

/** Makes an API key for the account. Without scopes it may read and write shipments. */
export async function createApiKey(ctx: CoreContext, accountId: string, input: NewKeyInput): Promise<CreatedApiKey> {
  const secret = formatApiKey(
    apiKeyBody((count) => globalThis.crypto.getRandomValues(new Uint8Array(count))),
    input.test,
  );
  const parts = parseApiKey(secret);
  if (parts === null) throw new Error('a key that was just made does not parse');
  const keyHash = await sha256Hex(secret);
  const scopes = input.scopes ?? defaultScopes;
  const stored = await withAccount(ctx.store, accountId, async (tx) => {
    const key = await insertApiKey(tx, accountId, { ...parts, name: input.name, scopes, expiresAt: input.expiresAt ?? null, keyHash });
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
  return { ...stored, secret };
}
