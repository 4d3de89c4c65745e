import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import { countedShipments } from './place-counts.ts';

/** A carrier's code and how many shipments have it. */
export type CarrierCount = { code: string; shipments: number };

/** The carriers of the account's newest shipments that are not archived, most frequent first. */
export async function countCarriers(
  tx: Tx,
  { accountId, test }: { accountId: string; test: boolean },
): Promise<CarrierCount[]> {
  return readRows<CarrierCount>(tx, {
    name: 'count-carriers',
    text: `
      select newest.carrier as code, count(*)::integer as shipments
      from (
        select s.carrier
        from landfall.shipments as s
        where s.account_id = $1 and s.test = $2 and s.archived_at is null
        order by s.created_at desc, s.id desc
        limit ${countedShipments}
      ) as newest
      group by newest.carrier
      order by shipments desc, newest.carrier`,
    values: [accountId, test],
  });
}
