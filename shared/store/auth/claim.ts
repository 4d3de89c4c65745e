import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** Makes the token with this hex SHA-256 the only valid claim token of the installation. */
export async function replaceClaim(tx: Tx, tokenHash: string): Promise<void> {
  await tx.query({
    name: 'replace-claim',
    text: `
      insert into auth.claim (token_hash) values (decode($1, 'hex'))
      on conflict (the_only) do update set token_hash = excluded.token_hash, created_at = now()`,
    values: [tokenHash],
  });
}

export async function isClaim(tx: Tx, tokenHash: string): Promise<boolean> {
  const rows = await readRows<{ found: boolean }>(tx, {
    name: 'is-claim',
    text: `select exists (select from auth.claim where token_hash = decode($1, 'hex')) as found`,
    values: [tokenHash],
  });
  return rows[0]?.found === true;
}

/** Consumes the token. Of two concurrent callers, one gets true. */
export async function takeClaim(tx: Tx, tokenHash: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'take-claim',
    text: `delete from auth.claim where token_hash = decode($1, 'hex')`,
    values: [tokenHash],
  });
  return rowCount === 1;
}
