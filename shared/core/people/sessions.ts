import { LandfallError } from '#shared/domain/errors.ts';
import {
  deleteEndedSessions,
  deleteOtherSessions,
  deleteSession,
  readSessions,
  type Session,
} from '#shared/store/auth/sessions.ts';
import { withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** The sessions of the user. */
export function listSessions(ctx: CoreContext, userId: string): Promise<Session[]> {
  return withAuth(ctx.store, (tx) => readSessions(tx, userId));
}

/** Ends a session of the user; its next request is refused. Throws LandfallError `session_not_found`. */
export async function endSession(ctx: CoreContext, userId: string, id: string): Promise<void> {
  const ended = await withAuth(ctx.store, (tx) => deleteSession(tx, userId, id));
  if (!ended) throw new LandfallError('session_not_found', 'Session not found.');
}

/** Ends all sessions of the user but one. */
export function endOtherSessions(ctx: CoreContext, userId: string, keptId: string): Promise<void> {
  return withAuth(ctx.store, (tx) => deleteOtherSessions(tx, userId, keptId));
}

/** Deletes the user's expired sessions. */
export function forgetEndedSessions(ctx: CoreContext, userId: string): Promise<void> {
  return withAuth(ctx.store, (tx) => deleteEndedSessions(tx, userId));
}
