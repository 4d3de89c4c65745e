import type { CheckAnswer } from '#shared/domain/carriers/credential-check.ts';
import type { Tx } from '../with-account.ts';

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
