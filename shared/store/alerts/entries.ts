import type { NewEntry } from '#shared/domain/alerts/entry.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** Milliseconds for which immediate entries are collected: since the last one, and in all. */
export type Settling = { quietMs: number; maxMs: number };

/**
 * Writes entries to the outbox and makes the mailboxes of new ones due. One whose key the member got by that
 * channel is left out. Returns how many are new.
 */
export async function insertEntries(
  tx: Tx,
  accountId: string,
  entries: readonly NewEntry[],
  { test, nowMs, settling }: { test: boolean; nowMs: number; settling: Settling },
): Promise<number> {
  if (entries.length === 0) return 0;
  const rows = await readRows<{ count: number }>(tx, {
    name: 'insert-alert-entries',
    text: `
      with given as (
        select * from json_to_recordset($2::json) as g ("userId" uuid, channel text, key text, timing text, "dueAtMs" float8,
          "alertIds" uuid[], "shipmentId" uuid, facts jsonb)
      ),
      added as (
        insert into landfall.alert_entries (
          account_id, user_id, channel, key, test, timing, due_at, alert_ids, shipment_id, facts
        )
        select $1, g."userId", g.channel, g.key, $3, g.timing, to_timestamp(g."dueAtMs" / 1000), g."alertIds", g."shipmentId", g.facts
        from given as g
        -- A member who was removed since gets nothing.
        join landfall.alert_preferences as p on p.account_id = $1 and p.user_id = g."userId"
        order by g."userId", g.channel, g.key
        on conflict (account_id, user_id, channel, key) do nothing
        returning user_id, channel, timing, due_at
      ),
      boxes as (
        select user_id, channel, timing, min(due_at) as due_at from added group by user_id, channel, timing
      ),
      opened as (
        insert into landfall.alert_mailboxes as m (account_id, user_id, channel, test, timing, due_at, opened_at)
        select $1, b.user_id, b.channel, $3, b.timing,
          case when b.timing = 'at_once' then b.due_at + $5 * interval '1 millisecond' else b.due_at end,
          to_timestamp($4::float8 / 1000)
        from boxes as b
        order by b.user_id, b.channel, b.timing
        on conflict (account_id, user_id, channel, test, timing) do update
        set opened_at = coalesce(m.opened_at, excluded.opened_at),
          due_at = greatest(
            m.held_until,
            case
              when m.due_at is null then excluded.due_at
              when m.timing <> 'at_once' then least(m.due_at, excluded.due_at)
              else least(
                greatest(m.due_at, excluded.due_at),
                greatest(
                  m.opened_at + $6 * interval '1 millisecond',
                  least(m.due_at, excluded.due_at)
                )
              )
            end
          )
      )
      select count(*)::integer as count from added`,
    values: [accountId, JSON.stringify(entries), test, nowMs, settling.quietMs, settling.maxMs],
  });
  return rows[0]?.count ?? 0;
}
