import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import type { User } from './users.ts';

/** Only the token's hash is stored, so that a copy of the database doesn't reveal a valid link. */
const identifierOf = (tokenHash: string): string => `password-reset:${tokenHash}`;

/** Makes the token with this hex SHA-256 the user's only valid reset token, for this many hours. */
export async function replacePasswordReset(
  tx: Tx,
  reset: { userId: string; tokenHash: string; hours: number },
): Promise<void> {
  await deletePasswordResets(tx, reset.userId);
  await tx.query({
    name: 'insert-password-reset',
    text: 'insert into auth.verifications (identifier, value, expires_at) values ($1, $2, now() + make_interval(hours => $3))',
    values: [identifierOf(reset.tokenHash), reset.userId, reset.hours],
  });
}

/**
 * The user whose password the token with this hex SHA-256 resets. Null when the token was used, has expired or doesn't
 * exist.
 */
export async function findPasswordReset(tx: Tx, tokenHash: string): Promise<User | null> {
  const rows = await readRows<User>(tx, {
    name: 'find-password-reset',
    text: `
      select u.id, u.name, u.email
      from auth.verifications as v join auth.users as u on u.id::text = v.value
      where v.identifier = $1 and v.expires_at > now()`,
    values: [identifierOf(tokenHash)],
  });
  return rows[0] ?? null;
}

/** Consumes the token. Of two concurrent callers, one gets true. */
export async function takePasswordReset(tx: Tx, tokenHash: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'take-password-reset',
    text: 'delete from auth.verifications where identifier = $1 and expires_at > now()',
    values: [identifierOf(tokenHash)],
  });
  return rowCount === 1;
}

/** Ends the reset links of the user. */
export async function deletePasswordResets(tx: Tx, userId: string): Promise<void> {
  await tx.query({
    name: 'delete-password-resets',
    text: `delete from auth.verifications where value = $1 and identifier like 'password-reset:%'`,
    values: [userId],
  });
}
