import type { Tx } from '../with-account.ts';

/**
 * Accounts with shipments whose records were composed by an earlier release, each with up to `limit` of them in all.
 * Not locked.
 */
export async function findRecomposable(tx: Tx, limit: number): Promise<Map<string, string[]>> {
  const { rows } = await tx.query<{ account_id: string; ids: string[] }>({
    name: 'find-recomposable',
    text: `
      select r.account_id, array_agg(r.id) as ids
      from (
        select s.account_id, s.id from landfall.shipments as s where s.recompose order by s.account_id, s.id limit $1
      ) as r
      group by r.account_id`,
    values: [limit],
  });
  return new Map(rows.map(({ account_id, ids }) => [account_id, ids]));
}

/** A shipment, and the order in which they are gone through. */
export type ShipmentPosition = { accountId: string; shipmentId: string };

/** The next shipments with events in the table of earlier releases, found in up to `limit` of its rows. Not locked. */
export async function findFormerEvents(
  tx: Tx,
  after: ShipmentPosition | null,
  limit: number,
): Promise<ShipmentPosition[]> {
  const nobody = '00000000-0000-0000-0000-000000000000';
  const { rows } = await tx.query<{ account_id: string; shipment_id: string }>({
    name: 'find-former-events',
    text: `
      select distinct f.account_id, f.shipment_id
      from (
        select account_id, shipment_id
        from landfall.former_events
        where (account_id, shipment_id) > ($1::uuid, $2::uuid)
        order by account_id, shipment_id
        limit $3
      ) as f
      order by f.account_id, f.shipment_id`,
    values: [after?.accountId ?? nobody, after?.shipmentId ?? nobody, limit],
  });
  return rows.map((row) => ({ accountId: row.account_id, shipmentId: row.shipment_id }));
}

/** How many events are in the table of earlier releases; `limit` if there are more. */
export async function countFormerEvents(tx: Tx, limit: number): Promise<number> {
  const { rows } = await tx.query<{ events: number }>({
    name: 'count-former-events',
    text: 'select count(*)::integer as events from (select from landfall.former_events limit $1) as f',
    values: [limit],
  });
  return rows[0]?.events ?? 0;
}
