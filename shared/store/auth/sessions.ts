import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** A session of a user. Times are ISO UTC. */
export type Session = {
  id: string;
  address: string | null;
  userAgent: string | null;
  createdAt: string;
  expiresAt: string;
};

type SessionRow = {
  id: string;
  ipAddress: string | null;
  userAgent: string | null;
  createdAt: string;
  expiresAt: string;
};

/** The user's active sessions, newest first. */
export async function readSessions(tx: Tx, userId: string): Promise<Session[]> {
  const rows = await readRows<SessionRow>(tx, {
    name: 'read-sessions',
    text: `
      select id, ip_address, user_agent, created_at, expires_at
      from auth.sessions
      where user_id = $1 and expires_at > now()
      order by created_at desc, id desc
      limit 100`,
    values: [userId],
  });
  return rows.map((row) => ({
    id: row.id,
    address: row.ipAddress === '' ? null : row.ipAddress,
    userAgent: row.userAgent === '' ? null : row.userAgent,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
  }));
}

/** Ends a session of the user. False when there is none with this id. */
export async function deleteSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'delete-session',
    text: 'delete from auth.sessions where user_id = $1 and id = $2',
    values: [userId, id],
  });
  return rowCount === 1;
}

/** Deletes the user's expired sessions, which contain an IP address and a user agent. */
export async function deleteEndedSessions(tx: Tx, userId: string): Promise<void> {
  await tx.query({
    name: 'delete-ended-sessions',
    text: 'delete from auth.sessions where user_id = $1 and expires_at <= now()',
    values: [userId],
  });
}

/** Signs the user out everywhere. */
export async function deleteAllSessions(tx: Tx, userId: string): Promise<void> {
  await tx.query({
    name: 'delete-all-sessions',
    text: 'delete from auth.sessions where user_id = $1',
    values: [userId],
  });
}

/** Signs the user out everywhere but in one session. */
export async function deleteOtherSessions(tx: Tx, userId: string, keptId: string): Promise<void> {
  await tx.query({
    name: 'delete-other-sessions',
    text: 'delete from auth.sessions where user_id = $1 and id <> $2',
    values: [userId, keptId],
  });
}
