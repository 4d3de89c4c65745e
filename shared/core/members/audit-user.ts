import { encodeTypeId } from '#shared/domain/type-id.ts';
import { readMemberships } from '#shared/store/auth/members.ts';
import { findUserByEmail, type User } from '#shared/store/auth/users.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { type Tx, withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** `actor` is the public id of a user or key, or `system`. */
export type UserAudit = {
  actor: string;
  action: string;
  requestId: string;
  /** More than the email, which is always there. */
  detail?: Record<string, unknown>;
};

/** Client of a sign-in, as the audit log records it. */
export type AuditedClient = { requestId: string; address: string; userAgent: string };

const maxUserAgent = 200;

/** Appends an entry about a user to the audit log of each of the user's accounts, so that its owners see it. */
export async function auditUser(tx: Tx, user: Pick<User, 'id' | 'email'>, entry: UserAudit): Promise<void> {
  for (const { accountId } of await readMemberships(tx, user.id)) {
    await appendAudit(tx, accountId, {
      actor: entry.actor,
      action: entry.action,
      subjectType: 'user',
      subjectId: user.id,
      requestId: entry.requestId,
      detail: { email: user.email, ...entry.detail },
    });
  }
}

/** Action of users on their own access. */
export type OwnAction = 'session.started' | 'session.ended' | 'sessions.ended' | 'password.changed';

/** Appends an entry about a sign-in, a sign-out or a new password to the audit log. */
export function auditOwnAction(
  ctx: CoreContext,
  user: Pick<User, 'id' | 'email'>,
  { action, client }: { action: OwnAction; client: AuditedClient },
): Promise<void> {
  return withAuth(ctx.store, (tx) => auditUser(tx, user, ownEntry(user, { action, client })));
}

/** The entry of `auditOwnAction`, for a transaction that does more. */
export function ownEntry(
  user: Pick<User, 'id'>,
  { action, client }: { action: OwnAction; client: AuditedClient },
): UserAudit {
  return {
    actor: encodeTypeId('user', user.id),
    action,
    requestId: client.requestId,
    detail: detailOf(client),
  };
}

/** Appends an entry about a wrong password for a user. Does nothing for an email that no user has. */
export function auditRefusedSignIn(ctx: CoreContext, email: string, client: AuditedClient): Promise<void> {
  return withAuth(ctx.store, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (user === null) return;
    await auditUser(tx, user, {
      actor: 'system',
      action: 'session.refused',
      requestId: client.requestId,
      detail: detailOf(client),
    });
  });
}

function detailOf({ address, userAgent }: AuditedClient): Record<string, string> {
  return { address, userAgent: userAgent.slice(0, maxUserAgent) };
}
