import type { Shipment } from '#shared/domain/record/shipment.ts';
import { readRows } from '../../read-rows.ts';
import type { Tx } from '../../with-account.ts';
import { publishedAgain, type ShipmentKey } from './mark-by-clock.ts';

/** A first refresh that the call budget of its credentials delays. */
export type DelayedRefresh = ShipmentKey & { waitMs: number };

/** Due shipments of an account that are searched for ones that were never refreshed. */
const maxSearched = 1000;

/**
 * Up to `limit` due first refreshes of accounts whose budget at a connector is used up, the oldest of each account
 * first, among the account's oldest 1,000 due shipments.
 */
export async function findDelayedRefreshes(
  tx: Tx,
  connector: string,
  options: { accountIds: readonly string[]; limit: number },
): Promise<ShipmentKey[]> {
  return readRows<{ accountId: string; shipmentId: string }>(tx, {
    name: 'find-delayed-refreshes',
    text: `
      select a.account_id, d.shipment_id
      from unnest($2::uuid[]) as a (account_id)
      cross join lateral (
        select p.shipment_id, p.state, p.lease_until, p.next_refresh_at
        from landfall.polling as p
        where p.connector = $1 and p.account_id = a.account_id and p.next_refresh_at <= now()
        order by p.next_refresh_at
        limit ${maxSearched}
      ) as d
      where d.state = 'queued' and (d.lease_until is null or d.lease_until <= now())
      order by d.next_refresh_at
      limit $3`,
    values: [connector, options.accountIds, options.limit],
  });
}

/**
 * Says of shipments that were never refreshed why they wait and until when, with a new version. Returns those that
 * changed. Locked shipments are left out.
 */
export async function markDelayed(tx: Tx, delayed: readonly DelayedRefresh[]): Promise<Shipment[]> {
  const rows = await readRows<{ accountId: string; shipmentId: string }>(tx, {
    name: 'mark-delayed',
    text: `
      with free as (
        select p.account_id, p.shipment_id, d."waitMs" as wait_ms
        from json_to_recordset($1::json) as d ("accountId" uuid, "shipmentId" uuid, "waitMs" float8)
        join landfall.polling as p on p.account_id = d."accountId" and p.shipment_id = d."shipmentId"
        join landfall.shipments as s on s.account_id = p.account_id and s.id = p.shipment_id
        where p.state = 'queued' and p.next_refresh_at is not null
        for no key update of s, p skip locked
      )
      update landfall.polling as p
      set state = 'awaiting_carrier', reason = 'carrier_rate_limited', next_refresh_at = now() + free.wait_ms * interval '1 millisecond'
      from free
      where p.account_id = free.account_id and p.shipment_id = free.shipment_id
      returning p.account_id, p.shipment_id`,
    values: [JSON.stringify(delayed)],
  });
  return publishedAgain(
    tx,
    rows.map((row) => ({ accountId: row.accountId, shipmentId: row.shipmentId })),
  );
}
