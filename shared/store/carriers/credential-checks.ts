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

/** A check that this worker has taken. `sealed` null: the account's stored credentials. */
export type TakenCheck = {
  accountId: string;
  id: string;
  carrier: string;
  connector: string;
  sealed: { keyVersion: string; sealed: Buffer } | null;
};

type TakenRow = {
  account_id: string;
  id: string;
  carrier: string;
  connector: string;
  key_version: string | null;
  sealed: Buffer | null;
};

/**
 * Takes up to `max` checks for which a request of the last `waitS` seconds still waits, oldest first, and removes their
 * sealed credentials. Deletes those that nobody waits for.
 */
export async function takeCredentialChecks(
  tx: Tx,
  { max, waitS }: { max: number; waitS: number },
): Promise<TakenCheck[]> {
  const { rows } = await tx.query<TakenRow>({
    name: 'take-credential-checks',
    text: `
      with late as (
        delete from landfall.credential_checks where created_at < now() - make_interval(secs => $2)
      ),
      free as (
        select account_id, id, key_version, sealed from landfall.credential_checks
        where taken_at is null and created_at >= now() - make_interval(secs => $2)
        order by created_at limit $1
        for update skip locked
      )
      update landfall.credential_checks as c
      set taken_at = now(), key_version = null, sealed = null
      from free as f
      where c.account_id = f.account_id and c.id = f.id
      returning c.account_id, c.id, c.carrier, c.connector, f.key_version, f.sealed`,
    values: [max, waitS],
  });
  return rows.map(({ account_id: accountId, id, carrier, connector, key_version: keyVersion, sealed }) => ({
    accountId,
    id,
    carrier,
    connector,
    sealed: keyVersion === null || sealed === null ? null : { keyVersion, sealed },
  }));
}

/** Does nothing if nobody waits for the answer any more. */
export async function answerCredentialCheck(
  tx: Tx,
  { accountId, id }: Pick<TakenCheck, 'accountId' | 'id'>,
  answer: CheckAnswer,
): Promise<void> {
  await tx.query({
    name: 'answer-credential-check',
    text: 'update landfall.credential_checks set answer = $3::jsonb where account_id = $1 and id = $2',
    values: [accountId, id, JSON.stringify(answer)],
  });
}
