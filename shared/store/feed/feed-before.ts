import type { ShipmentChange } from '#shared/domain/feed/change.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import { changesFrom, type FeedRow, holder, shownColumns, storedColumns } from './feed-rows.ts';

/** The last change of each shipment before a sequence, by shipment. One that the feed no longer has is missing. */
export async function readChangesBefore(
  tx: Tx,
  accountId: string,
  { test, places }: { test: boolean; places: readonly { shipmentId: string; sequence: number }[] },
): Promise<Map<string, ShipmentChange>> {
  if (places.length === 0) return new Map();
  const rows = await readRows<FeedRow>(tx, {
    name: 'read-changes-before',
    text: `
      select ${shownColumns}
      from unnest($2::uuid[], $3::bigint[]) as w (shipment_id, sequence)
      cross join lateral (
        select ${storedColumns} from landfall.changes as c
        where c.account_id = $1 and c.shipment_id = w.shipment_id and c.sequence < w.sequence and c.test = $4
        order by c.sequence desc
        limit 1
      ) as c
      left join lateral (${holder}
      ) as h on true
      order by c.sequence`,
    values: [accountId, places.map(({ shipmentId }) => shipmentId), places.map(({ sequence }) => sequence), test],
  });
  const changes = changesFrom(rows).changes as ShipmentChange[];
  return new Map(changes.map((change) => [change.data.shipment.id, change]));
}
