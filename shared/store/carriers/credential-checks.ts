import type { CheckAnswer } from '#shared/domain/carriers/credential-check.ts';
import type { Tx } from '../with-account.ts';

/** `sealed` null: the account's stored credentials. */
export type NewCheck = {
  id: string;
  carrier: string;
  connector: string;
  sealed: { keyVersion: string; sealed: Uint8Array } | null;
};

/** Asks the workers for a check, unless the account waits for `maxOpen` already: then false. */
export async function insertCredentialCheck(
  tx: Tx,
  accountId: string,
  { id, carrier, connector, sealed }: NewCheck,
  maxOpen: number,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert-credential-check',
    text: `
      insert into landfall.credential_checks (account_id, id, carrier, connector, key_version, sealed)
      select $1, $2, $3, $4, $5, $6
      where (select count(*) from landfall.credential_checks as c where c.account_id = $1) < $7`,
    values: [accountId, id, carrier, connector, sealed?.keyVersion ?? null, sealed?.sealed ?? null, maxOpen],
  });
  return rowCount === 1;
}

/** Null: there is no answer yet. */
export async function readCheckAnswer(tx: Tx, accountId: string, id: string): Promise<CheckAnswer | null> {
  const { rows } = await tx.query<{ answer: CheckAnswer | null }>({
    name: 'read-check-answer',
    text: 'select answer from landfall.credential_checks where account_id = $1 and id = $2',
    values: [accountId, id],
  });
  return rows[0]?.answer ?? null;
}

export async function deleteCredentialCheck(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-credential-check',
    text: 'delete from landfall.credential_checks where account_id = $1 and id = $2',
    values: [accountId, id],
  });
}
