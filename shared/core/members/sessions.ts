import { LandfallError } from '#shared/domain/errors.ts';
import {
  deleteAllSessions,
  deleteEndedSessions,
  deleteOtherSessions,
  deleteSession,
  readSessions,
  type Session,
} from '#shared/store/auth/sessions.ts';
import { findUserByEmail, type User } from '#shared/store/auth/users.ts';
import { withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { type AuditedClient, auditUser, ownEntry } from './audit-user.ts';

/** The sessions of the user. */
export function listSessions(ctx: CoreContext, userId: string): Promise<Session[]> {
  return withAuth(ctx.store, (tx) => readSessions(tx, userId));
}

/**
 * Ends a session of the user; its next request is refused. The audit log says so. Throws LandfallError
 * `session_not_found`.
 */
export function endSession(
  ctx: CoreContext,
  user: Pick<User, 'id' | 'email'>,
  { id, client }: { id: string; client: AuditedClient },
): Promise<void> {
  return withAuth(ctx.store, async (tx) => {
    if (!(await deleteSession(tx, user.id, id))) throw new LandfallError('session_not_found', 'Session not found.');
    await auditUser(tx, user, ownEntry(user, { action: 'session.ended', client }));
  });
}

/** Ends all sessions of the user but one. The audit log says so. */
export function endOtherSessions(
  ctx: CoreContext,
  user: Pick<User, 'id' | 'email'>,
  { keptId, client }: { keptId: string; client: AuditedClient },
): Promise<void> {
  return withAuth(ctx.store, async (tx) => {
    await deleteOtherSessions(tx, user.id, keptId);
    await auditUser(tx, user, ownEntry(user, { action: 'sessions.ended', client }));
  });
}

/** Ends all sessions of a user, as the operator. The audit log says so. Throws LandfallError `member_not_found`. */
export function endAllSessions(ctx: CoreContext, email: string, requestId: string): Promise<void> {
  return withAuth(ctx.store, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (user === null) throw new LandfallError('member_not_found', `No user has the email ${email}.`);
    await deleteAllSessions(tx, user.id);
    await auditUser(tx, user, { actor: 'system', action: 'sessions.ended', requestId });
  });
}

/** Deletes the user's expired sessions. */
export function forgetEndedSessions(ctx: CoreContext, userId: string): Promise<void> {
  return withAuth(ctx.store, (tx) => deleteEndedSessions(tx, userId));
}
