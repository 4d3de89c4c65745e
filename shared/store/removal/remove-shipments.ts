import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/**
 * Deletes shipments with everything about them: events, refreshes, numbers, search words, tags, changes in the feed,
 * webhook deliveries, alert entries about them and traces. With `closedDays`, only those that have been closed for so long by now. Returns the ids of those that were
 * there. In a transaction of the system role.
 */
export async function removeShipments(
  tx: Tx,
  accountId: string,
  { shipmentIds, closedDays = null }: { shipmentIds: readonly string[]; closedDays?: number | null },
): Promise<string[]> {
  const locked = await readRows<{ id: string }>(tx, {
    name: 'lock-to-remove',
    text: `
      select id from landfall.shipments
      where account_id = $1 and id = any ($2::uuid[]) and ($3::integer is null or closed_at <= now() - make_interval(days => $3))
      order by id
      for update`,
    values: [accountId, shipmentIds, closedDays],
  });
  const ids = locked.map(({ id }) => id);
  if (ids.length === 0) return [];
  await tx.query({
    name: 'remove-traces-of-shipments',
    text: `
      with traces as materialized (
        select distinct trace_id from landfall.trace_parts where shipment_id = any ($1::uuid[])
      ),
      spans as (
        delete from landfall.spans where trace_id = any (array(select trace_id from traces))
      )
      delete from landfall.trace_parts where trace_id = any (array(select trace_id from traces))`,
    values: [ids],
  });
  // The waiting ones first: the sequencer may sequence some in between, and never takes a sequence away.
  await tx.query({
    name: 'remove-waiting-changes-of-shipments',
    text: `
      delete from landfall.changes
      where account_id = $1 and shipment_id = any ($2::uuid[]) and sequence is null`,
    values: [accountId, ids],
  });
  await tx.query({
    name: 'remove-changes-of-shipments',
    text: `
      delete from landfall.changes
      where account_id = $1 and shipment_id = any ($2::uuid[]) and sequence is not null`,
    values: [accountId, ids],
  });
  await tx.query({
    name: 'remove-webhook-deliveries-of-shipments',
    text: 'delete from landfall.webhook_deliveries where account_id = $1 and shipment_id = any ($2::uuid[])',
    values: [accountId, ids],
  });
  await tx.query({
    name: 'remove-alert-entries-of-shipments',
    text: 'delete from landfall.alert_entries where account_id = $1 and shipment_id = any ($2::uuid[])',
    values: [accountId, ids],
  });
  await tx.query({
    name: 'remove-shipments',
    text: 'delete from landfall.shipments where account_id = $1 and id = any ($2::uuid[])',
    values: [accountId, ids],
  });
  return ids;
}

/** Shipments of an account whose retention period is over. */
export type Expired = { accountId: string; days: number; shipmentIds: string[] };

/**
 * Shipments that have been closed for longer than their account or the installation (`days`) keeps them, at most
 * `perAccount` of each account. An account can shorten the period of the installation, but not extend it.
 */
export async function findExpired(
  tx: Tx,
  options: { days: number | null; perAccount: number; limit: number },
): Promise<Expired[]> {
  const rows = await readRows<{ accountId: string; days: number; ids: string[] }>(tx, {
    name: 'find-expired-shipments',
    text: `
      select a.id as account_id, least(a.retention_days, $1::integer) as days, array_agg(s.id) as ids
      from landfall.accounts as a
      cross join lateral (
        select id from landfall.shipments
        where account_id = a.id and closed_at <= now() - make_interval(days => least(a.retention_days, $1::integer))
        order by closed_at
        limit $2
      ) as s
      where a.removed_at is null and least(a.retention_days, $1::integer) is not null
      group by a.id
      -- Accounts whose removal fails must not take every run.
      order by random()
      limit $3`,
    values: [options.days, options.perAccount, options.limit],
  });
  return rows.map(({ accountId, days, ids: shipmentIds }) => ({ accountId, days, shipmentIds }));
}
