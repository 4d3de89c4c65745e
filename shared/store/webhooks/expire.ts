import type { Tx } from '../open-store.ts';

/**
 * Deletes deliveries that succeeded and are older than `keptDays`. Returns their number, at most `limit`. Those of
 * deleted endpoints go the same way.
 */
export async function deleteOldWebhookDeliveries(
  tx: Tx,
  options: { keptDays: number; limit: number },
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'delete-old-webhook-deliveries',
    text: `
      with old as (
        select account_id, endpoint_id, id from landfall.webhook_deliveries
        where state = 'delivered' and created_at <= now() - make_interval(days => $1)
        order by created_at
        limit $2
        for update skip locked
      )
      delete from landfall.webhook_deliveries as d
      using old
      where d.account_id = old.account_id and d.endpoint_id = old.endpoint_id and d.id = old.id`,
    values: [options.keptDays, options.limit],
  });
  return rowCount ?? 0;
}

/** The same for deliveries that were given up, or that wait at an endpoint that nobody enables. */
export async function deleteOldUndelivered(tx: Tx, options: { keptDays: number; limit: number }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'delete-old-undelivered',
    text: `
      with old as (
        select account_id, endpoint_id, id from landfall.webhook_deliveries
        where state <> 'delivered' and created_at <= now() - make_interval(days => $1)
        order by created_at
        limit $2
        for update skip locked
      )
      delete from landfall.webhook_deliveries as d
      using old
      where d.account_id = old.account_id and d.endpoint_id = old.endpoint_id and d.id = old.id`,
    values: [options.keptDays, options.limit],
  });
  return rowCount ?? 0;
}

/** Deletes replays that ended more than `keptDays` ago. Returns their number, at most `limit`. */
export async function deleteOldReplays(tx: Tx, options: { keptDays: number; limit: number }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'delete-old-webhook-replays',
    text: `
      with old as (
        select account_id, id from landfall.webhook_replays
        where completed_at <= now() - make_interval(days => $1)
        order by completed_at
        limit $2
        for update skip locked
      )
      delete from landfall.webhook_replays as r
      using old
      where r.account_id = old.account_id and r.id = old.id`,
    values: [options.keptDays, options.limit],
  });
  return rowCount ?? 0;
}
