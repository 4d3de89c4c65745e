import type { Shipment } from '#shared/domain/record/shipment.ts';
import { readRows } from '../../read-rows.ts';
import {
  hasFreshness,
  rowColumns,
  type StoredShipmentRow,
  shipmentTables,
  toShipment,
} from '../../shipments/shipment-row.ts';
import type { Tx } from '../../with-account.ts';

export type ShipmentKey = { accountId: string; shipmentId: string };

/**
 * Locks up to `limit` shipments that became stale since their last success and were not announced yet, marks them as
 * announced, and returns them with the new version and `freshness` stale. Locked shipments are skipped until the next
 * call.
 */
export async function markStale(tx: Tx, limit: number): Promise<Shipment[]> {
  const keys = await lockStale(tx, limit);
  if (keys.length === 0) return [];
  await tx.query({
    name: 'mark-stale-announced',
    text: `
      update landfall.polling as p
      set stale_notified_for = p.last_succeeded_at
      from json_to_recordset($1::json) as k ("accountId" uuid, "shipmentId" uuid)
      where p.account_id = k."accountId" and p.shipment_id = k."shipmentId"`,
    values: [JSON.stringify(keys)],
  });
  return publishedAgain(tx, keys);
}

/**
 * Locks up to `limit` shipments whose ETA has passed unconfirmed and was not announced yet, marks that ETA as
 * announced, and returns them with the new version. Archived shipments, and those locked elsewhere, are left for later.
 */
export async function markOverdue(tx: Tx, limit: number): Promise<Shipment[]> {
  const rows = await readRows<{ accountId: string; shipmentId: string }>(tx, {
    name: 'mark-overdue-announced',
    text: `
      with due as materialized (
        select s.account_id, s.id
        from landfall.shipments as s
        where s.overdue_from is not null and not s.recompose and not (s.overdue_from = any (s.overdue_notified))
          and s.overdue_from <= now() and s.archived_at is null
        order by s.overdue_from
        limit $1
        for no key update skip locked
      )
      update landfall.shipments as s
      set overdue_notified = s.overdue_notified || s.overdue_from
      from due
      where s.account_id = due.account_id and s.id = due.id
      returning s.account_id, s.id as shipment_id`,
    values: [limit],
  });
  return publishedAgain(tx, rows.map(toKey));
}

/**
 * Decides again for up to `limit` shipments that were to need attention by now, and returns those that do, with the new
 * version. A success since then, which alone moves no `attention_at`, postpones it. Archived shipments, and those
 * locked elsewhere, are left for later.
 */
export async function markAttentionDue(tx: Tx, limit: number): Promise<Shipment[]> {
  const rows = await readRows<{ accountId: string; shipmentId: string; needsAttention: boolean }>(tx, {
    name: 'mark-attention-due',
    text: `
      with due as materialized (
        select s.account_id, s.id, s.has_exception, s.overdue_from, s.late_from, s.created_at
        from landfall.shipments as s
        where s.attention_at <= now() and s.archived_at is null
        order by s.attention_at
        limit $1
        for no key update skip locked
      ),
      decided as materialized (
        select due.account_id, due.id, landfall.attention_from(due.has_exception,
          case when due.overdue_from is not null then greatest(due.late_from, due.overdue_from) end, p.state, p.reason, p.last_succeeded_at,
          coalesce(p.tracking_since, due.created_at)) as from_at
        from due
        left join landfall.polling as p on p.account_id = due.account_id and p.shipment_id = due.id
      )
      update landfall.shipments as s
      set needs_attention = coalesce(d.from_at <= now(), false), attention_at = case when d.from_at > now() then d.from_at end
      from decided as d
      where s.account_id = d.account_id and s.id = d.id
      returning s.account_id, s.id as shipment_id, s.needs_attention`,
    values: [limit],
  });
  return publishedAgain(tx, rows.filter(({ needsAttention }) => needsAttention).map(toKey));
}

/** Gives locked shipments a new version and reads them, without the events and the ETA history of their journeys. */
export async function publishedAgain(tx: Tx, keys: readonly ShipmentKey[]): Promise<Shipment[]> {
  if (keys.length === 0) return [];
  const values = [JSON.stringify(keys)];
  await tx.query({
    name: 'raise-versions',
    text: `
      update landfall.shipments as s
      set updated_at = now(), version = s.version + 1
      from json_to_recordset($1::json) as k ("accountId" uuid, "shipmentId" uuid)
      where s.account_id = k."accountId" and s.id = k."shipmentId"`,
    values,
  });
  const rows = await readRows<StoredShipmentRow>(tx, {
    name: 'read-raised',
    text: `
      select ${rowColumns}
      from ${shipmentTables}
      join json_to_recordset($1::json) as k ("accountId" uuid, "shipmentId" uuid) on s.account_id = k."accountId" and s.id = k."shipmentId"
      order by p.stale_at, s.id`,
    values,
  });
  return rows.map(toShipment);
}

async function lockStale(tx: Tx, limit: number): Promise<ShipmentKey[]> {
  const rows = await readRows<{ accountId: string; shipmentId: string }>(tx, {
    name: 'lock-stale',
    text: `
      select p.account_id, p.shipment_id
      from landfall.polling as p
      join landfall.shipments as s on s.account_id = p.account_id and s.id = p.shipment_id
      where ${hasFreshness('stale')} and p.stale_notified_for is distinct from p.last_succeeded_at
      order by p.stale_at
      limit $1
      for no key update of s, p skip locked`,
    values: [limit],
  });
  return rows.map(toKey);
}

function toKey(row: { accountId: string; shipmentId: string }): ShipmentKey {
  return { accountId: row.accountId, shipmentId: row.shipmentId };
}
