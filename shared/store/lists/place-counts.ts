import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** Origins or destinations: codes, the folded name, and how many shipments have it. */
export type PlaceCount = { unlocode: string | null; iata: string | null; name: string | null; shipments: number };

/** Only so many of the newest shipments are counted, so that an account of any size costs the same. */
export const countedShipments = 5000;
const maxPlaces = 500;

/** The most frequent origins or destinations of the account's newest shipments that are not archived. */
export async function countPlaces(
  tx: Tx,
  { accountId, test }: { accountId: string; test: boolean },
  end: 'origin' | 'destination',
): Promise<PlaceCount[]> {
  return readRows<PlaceCount>(tx, {
    name: `count-places-${end}`,
    text: `
      select newest.unlocode, newest.iata, newest.name, count(*)::integer as shipments
      from (
        select s.${end}_unlocode as unlocode, s.${end}_iata as iata, s.${end}_name as name
        from landfall.shipments as s
        where s.account_id = $1 and s.test = $2 and s.archived_at is null
        order by s.created_at desc, s.id desc
        limit ${countedShipments}
      ) as newest
      where newest.unlocode is not null or newest.name is not null
      group by newest.unlocode, newest.iata, newest.name
      order by shipments desc, newest.unlocode, newest.name
      limit ${maxPlaces}`,
    values: [accountId, test],
  });
}
