import { readRows } from '../../read-rows.ts';
import type { Wake } from '../../tracking/credential-wakes.ts';
import type { Tx } from '../../with-account.ts';

/** A wake that no other worker has locked. `ageS` is its age in seconds. Null when there is none after `after`. */
export async function lockNextWake(
  tx: Tx,
  after: string | null,
): Promise<{ id: string; wake: Wake; ageS: number } | null> {
  const [row] = await readRows<WakeRow>(tx, {
    name: 'lock-next-wake',
    text: `
      select id, account_id, carrier, connector, extract(epoch from now() - created_at)::float8 as age_s
      from landfall.credential_wakes
      where $1::uuid is null or id > $1
      order by id
      limit 1
      for update skip locked`,
    values: [after],
  });
  if (row === undefined) return null;
  const { id, accountId, carrier, connector } = row;
  const wake: Wake =
    accountId !== null && carrier !== null
      ? { accountId, carrier, connector: null }
      : { accountId: null, carrier: null, connector: connector ?? '' };
  return { id, wake, ageS: row.ageS };
}

type WakeRow = {
  id: string;
  accountId: string | null;
  carrier: string | null;
  connector: string | null;
  ageS: number;
};

export async function deleteWake(tx: Tx, id: string): Promise<void> {
  await tx.query({ name: 'delete-wake', text: 'delete from landfall.credential_wakes where id = $1', values: [id] });
}
