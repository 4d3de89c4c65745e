import type { Tx } from '../with-account.ts';

/** Deletes messages that ended more than `keptDays` ago, at most `limit`. Their entries expire by themselves. */
export async function deleteOldMessages(tx: Tx, options: { keptDays: number; limit: number }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'delete-old-alert-messages',
    text: `
      with old as (
        select account_id, id from landfall.alert_messages
        where state <> 'waiting' and created_at <= now() - make_interval(days => $1)
        order by created_at
        limit $2
        for update skip locked
      )
      delete from landfall.alert_messages as m
      using old
      where m.account_id = old.account_id and m.id = old.id`,
    values: [options.keptDays, options.limit],
  });
  return rowCount ?? 0;
}

/** Deletes entries that were written more than `keptDays` ago, at most `limit`. */
export async function deleteOldEntries(tx: Tx, options: { keptDays: number; limit: number }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'delete-old-alert-entries',
    text: `
      with old as (
        select account_id, user_id, channel, key from landfall.alert_entries
        where created_at <= now() - make_interval(days => $1)
        order by created_at
        limit $2
        for update skip locked
      )
      delete from landfall.alert_entries as e
      using old
      where e.account_id = old.account_id and e.user_id = old.user_id and e.channel = old.channel and e.key = old.key`,
    values: [options.keptDays, options.limit],
  });
  return rowCount ?? 0;
}

/** Deletes notices that were told more than `keptDays` ago, at most `limit`. */
export async function deleteOldNotices(tx: Tx, options: { keptDays: number; limit: number }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'delete-old-alert-notices',
    text: `
      with old as (
        select account_id, key from landfall.alert_notices
        where told_at is not null and created_at <= now() - make_interval(days => $1)
        order by created_at
        limit $2
        for update skip locked
      )
      delete from landfall.alert_notices as n
      using old
      where n.account_id = old.account_id and n.key = old.key`,
    values: [options.keptDays, options.limit],
  });
  return rowCount ?? 0;
}
