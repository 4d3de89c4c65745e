import type { Caller } from '#shared/domain/caller.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { readUserNames } from '#shared/store/auth/users.ts';
import { readKeyNames } from '#shared/store/keys/api-keys.ts';
import { type AuditRow, readAudit } from '#shared/store/keys/audit.ts';
import { withAccount, withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** `actorName`: the current name of the user or key. Null: it was deleted, or the actor is the system. */
export type AuditLine = AuditRow & { actorName: string | null };

/** The account's audit log, newest first, before the row with the id `before`. */
export async function listAudit(
  ctx: CoreContext,
  caller: Caller,
  page: { before: string | null; limit: number },
): Promise<{ lines: AuditLine[]; hasMore: boolean }> {
  const { accountId } = caller;
  const { rows, keyNames } = await withAccount(ctx.store, accountId, async (tx) => {
    const found = await readAudit(tx, accountId, { before: page.before, limit: page.limit + 1 });
    return { rows: found, keyNames: await readKeyNames(tx, accountId, idsOf(found, 'key')) };
  });
  const users = idsOf(rows, 'user');
  const userNames =
    users.length === 0 ? new Map<string, string>() : await withAuth(ctx.store, (tx) => readUserNames(tx, users));
  const lines = rows.slice(0, page.limit).map((row) => {
    const keyId = decodeTypeId('key', row.actor);
    const userId = decodeTypeId('user', row.actor);
    return { ...row, actorName: (keyId && keyNames.get(keyId)) ?? (userId && userNames.get(userId)) ?? null };
  });
  return { lines, hasMore: rows.length > page.limit };
}

function idsOf(rows: readonly AuditRow[], prefix: string): string[] {
  return [...new Set(rows.flatMap(({ actor }) => decodeTypeId(prefix, actor) ?? []))];
}
