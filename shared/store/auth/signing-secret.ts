import type { Tx } from '../with-account.ts';

/** What cookies are signed with: `candidate` when there was nothing yet. The same in every process. */
export async function ensureSigningSecret(tx: Tx, candidate: string): Promise<string> {
  await tx.query({
    name: 'ensure-signing-secret',
    text: 'insert into auth.signing_secret (secret) values ($1) on conflict (the_only) do nothing',
    values: [candidate],
  });
  const { rows } = await tx.query<{ secret: string }>({
    name: 'read-signing-secret',
    text: 'select secret from auth.signing_secret',
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the database gave no signing secret');
  return row.secret;
}
