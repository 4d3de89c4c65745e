import type { Tx } from '../with-account.ts';
import type { User } from './users.ts';

/** Under what a link is kept: what is read from the database opens nothing. */
const identifierOf = (tokenHash: string): string => `password-reset:${tokenHash}`;

/** The token with this hex SHA-256 lets the user choose a password for so many hours, and the one before it does not any more. */
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

/** Whose password the token with this hex SHA-256 resets; null when it was used, has expired or never was one. */
export async function findPasswordReset(tx: Tx, tokenHash: string): Promise<User | null> {
  const { rows } = await tx.query<User>({
    name: 'find-password-reset',
    text: `
      select u.id, u.name, u.email
      from auth.verifications as v join auth.users as u on u.id::text = v.value
      where v.identifier = $1 and v.expires_at > now()`,
    values: [identifierOf(tokenHash)],
  });
  return rows[0] ?? null;
}

/** Uses the token up: of two at the same time one gets it. */
export async function takePasswordReset(tx: Tx, tokenHash: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'take-password-reset',
    text: 'delete from auth.verifications where identifier = $1 and expires_at > now()',
    values: [identifierOf(tokenHash)],
  });
  return rowCount === 1;
}

async function deletePasswordResets(tx: Tx, userId: string): Promise<void> {
  await tx.query({
    name: 'delete-password-resets',
    text: `delete from auth.verifications where value = $1 and identifier like 'password-reset:%'`,
    values: [userId],
  });
}
