import { defaultScopes } from '#shared/domain/caller.ts';
import { parseApiKey } from '#shared/domain/keys/api-key.ts';
import { operatorsAccount } from '#shared/domain/members/role.ts';
import { ensureOrganization, insertMember } from '#shared/store/auth/members.ts';
import { findUserByEmail, insertUser } from '#shared/store/auth/users.ts';
import { insertApiKeyOnce } from '#shared/store/keys/api-keys.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withAccount, withAuth, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { sha256Hex } from '../secrets/new-secret.ts';

export type InitialAccess = {
  account: string;
  admin: { email: string; password: string } | null;
  apiKey: string | null;
};

type Account = { accountId: string; name: string };

/**
 * Creates the account, the user and the key that the configuration names if they don't exist, and leaves existing ones
 * alone. Safe at every start and in several processes at once.
 */
export async function ensureInitialAccess(
  ctx: CoreContext,
  { account, admin, apiKey }: InitialAccess,
  hashPassword: (password: string, words: readonly string[]) => Promise<string>,
): Promise<void> {
  const names = [...new Set([operatorsAccount, account])];
  const accounts = await withSystem(ctx.store, async (tx) => {
    const ensured: Account[] = [];
    for (const name of names) ensured.push({ accountId: (await ensureAccount(tx, name)).accountId, name });
    return ensured;
  });
  if (admin !== null) await ensureOwner(ctx, { ...admin, accounts }, hashPassword);
  const own = accounts.find(({ name }) => name === account);
  if (apiKey !== null && own !== undefined) await ensureApiKey(ctx, own.accountId, apiKey);
}

/** The account named `default`, created on the first start. Safe in several processes at once. */
export function ensureFirstAccount(ctx: CoreContext): Promise<{ accountId: string; created: boolean }> {
  return withSystem(ctx.store, (tx) => ensureAccount(tx, 'default'));
}

async function ensureOwner(
  ctx: CoreContext,
  admin: { email: string; password: string; accounts: readonly Account[] },
  hashPassword: (password: string, words: readonly string[]) => Promise<string>,
): Promise<void> {
  const known = await withAuth(ctx.store, (tx) => findUserByEmail(tx, admin.email));
  const passwordHash = known === null ? await hashPassword(admin.password, [admin.email]) : '';
  await withAuth(ctx.store, async (tx) => {
    const added =
      known === null ? await insertUser(tx, { name: nameOf(admin.email), email: admin.email, passwordHash }) : null;
    const user = known ?? added ?? (await findUserByEmail(tx, admin.email));
    if (user === null) throw new Error('the first user was removed concurrently');
    for (const { accountId, name } of admin.accounts) {
      await ensureOrganization(tx, { accountId, name });
      if (!(await insertMember(tx, accountId, { userId: user.id, role: 'owner' }))) continue;
      await appendAudit(tx, accountId, {
        actor: 'system',
        action: 'member.added',
        subjectType: 'user',
        subjectId: user.id,
        requestId: null,
        detail: { email: user.email, role: 'owner' },
      });
    }
  });
}

async function ensureApiKey(ctx: CoreContext, accountId: string, secret: string): Promise<void> {
  const parts = parseApiKey(secret);
  if (parts === null) throw new Error('INIT_API_KEY is not a complete key');
  const keyHash = sha256Hex(secret);
  await withAccount(ctx.store, accountId, async (tx) => {
    const key = await insertApiKeyOnce(tx, accountId, {
      ...parts,
      keyHash,
      name: 'initial key',
      scopes: defaultScopes,
      expiresAt: null,
    });
    if (key === null) return;
    await appendAudit(tx, accountId, {
      actor: 'system',
      action: 'api_key.created',
      subjectType: 'api_key',
      subjectId: key.id,
      requestId: null,
      detail: { name: key.name, scopes: key.scopes, test: key.test, expiresAt: null },
    });
  });
}

/** The part before the @, until the user chooses a name. */
function nameOf(email: string): string {
  return email.split('@', 1)[0] ?? email;
}
