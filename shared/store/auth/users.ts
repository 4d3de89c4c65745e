import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

export type User = { id: string; name: string; email: string };

/** The user with this address, compared without regard to case. Null when there is none. */
export async function findUserByEmail(tx: Tx, email: string): Promise<User | null> {
  const rows = await readRows<User>(tx, {
    name: 'find-user-by-email',
    text: 'select id, name, email from auth.users where email = lower($1)',
    values: [email],
  });
  return rows[0] ?? null;
}

/** Adds a user who signs in with an address and a password. Null when the address is taken. */
export async function insertUser(
  tx: Tx,
  user: { name: string; email: string; passwordHash: string },
): Promise<User | null> {
  const rows = await readRows<User>(tx, {
    name: 'insert-user',
    text: `
      with added as (
        insert into auth.users (name, email) values ($1, lower($2)) on conflict (email) do nothing returning id, name, email
      ), login as (
        insert into auth.logins (user_id, account_id, provider_id, password)
        select id, id::text, 'credential', $3 from added
      )
      select id, name, email from added`,
    values: [user.name, user.email, user.passwordHash],
  });
  return rows[0] ?? null;
}

/** Replaces the user's password. */
export async function writePassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.query({
    name: 'write-password',
    text: `
      insert into auth.logins (user_id, account_id, provider_id, password) values ($1::uuid, $1::uuid::text, 'credential', $2)
      on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = now()`,
    values: [userId, passwordHash],
  });
}

/** Names of users, by id. */
export async function readUserNames(tx: Tx, userIds: readonly string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await readRows<{ id: string; name: string }>(tx, {
    name: 'read-user-names',
    text: 'select id, name from auth.users where id = any($1::uuid[])',
    values: [userIds],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
