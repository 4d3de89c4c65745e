import type { Channel, Timing } from '#shared/domain/alerts/alert.ts';
import type { Lane } from '#shared/domain/alerts/entry.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

export type DueMailbox = { accountId: string; userId: string; channel: Channel; test: boolean; timing: Timing };

/**
 * Locks up to `limit` mailboxes of a lane that are due by `now` until the transaction ends, the longest waiting first. Those that
 * are locked elsewhere are left out.
 */
export async function lockDueMailboxes(
  tx: Tx,
  { lane, now, limit }: { lane: Lane; now: string; limit: number },
): Promise<DueMailbox[]> {
  return readRows<{
    accountId: string;
    userId: string;
    channel: Channel;
    test: boolean;
    timing: Timing;
  }>(tx, {
    name: 'lock-due-alert-mailboxes',
    text: `
      select account_id, user_id, channel, test, timing
      from landfall.alert_mailboxes
      where due_at <= $1 and (channel = 'email') = $3
      order by due_at
      limit $2
      for no key update skip locked`,
    values: [now, limit, lane === 'mails'],
  });
}

/** After a message with so many entries, or so many messages in a row, the mailbox is held. */
export type FloodLimits = { maxEntries: number; maxMessages: number; holdMs: number };

/**
 * Makes one message of all that waits in each of these locked mailboxes and is due by `now`. `ids`: of the messages, one
 * for each mailbox. Returns how many messages have entries.
 */
export async function formMessages(
  tx: Tx,
  boxes: readonly DueMailbox[],
  { ids, now, flood }: { ids: readonly string[]; now: string; flood: FloodLimits },
): Promise<number> {
  const given = boxes.map((box, index) => ({ ...box, id: ids[index] }));
  const rows = await readRows<{ count: number }>(tx, {
    name: 'form-alert-messages',
    text: `
      with boxes as (
        select * from json_to_recordset($1::json) as b ("accountId" uuid, "userId" uuid, channel text, test boolean, timing text, id uuid)
      ),
      taken as (
        update landfall.alert_entries as e
        set message_id = b.id
        from boxes as b
        where e.account_id = b."accountId" and e.user_id = b."userId" and e.channel = b.channel and e.test = b.test and e.timing = b.timing
          and e.message_id is null and e.due_at <= $2
        returning e.message_id
      ),
      counted as (
        select message_id, count(*)::integer as entries from taken group by message_id
      ),
      formed as (
        insert into landfall.alert_messages (account_id, id, user_id, channel, test, timing, entries, next_try_at)
        select b."accountId", b.id, b."userId", b.channel, b.test, b.timing, c.entries, now()
        from boxes as b
        join counted as c on c.message_id = b.id
        returning account_id
      ),
      emptied as (
        update landfall.alert_mailboxes as m
        set opened_at = null,
          -- This statement still sees the taken entries as waiting.
          due_at = (
            select min(e.due_at) from landfall.alert_entries as e
            where e.account_id = m.account_id and e.user_id = m.user_id and e.channel = m.channel and e.test = m.test and e.timing = m.timing
              and e.message_id is null and e.due_at > $2
          ),
          counted_from = case when m.counted_from > $2::timestamptz - $5 * interval '1 millisecond' then m.counted_from else $2 end,
          messages = case when m.counted_from > $2::timestamptz - $5 * interval '1 millisecond' then m.messages + 1 else 1 end,
          held_until = case
            when m.timing <> 'at_once' then null
            when c.entries > $3 then $2::timestamptz + $5 * interval '1 millisecond'
            when m.counted_from > $2::timestamptz - $5 * interval '1 millisecond' and m.messages + 1 >= $4
              then $2::timestamptz + $5 * interval '1 millisecond'
          end
        from boxes as b
        left join counted as c on c.message_id = b.id
        where m.account_id = b."accountId" and m.user_id = b."userId" and m.channel = b.channel and m.test = b.test and m.timing = b.timing
      )
      select count(*)::integer as count from formed`,
    values: [JSON.stringify(given), now, flood.maxEntries, flood.maxMessages, flood.holdMs],
  });
  return rows[0]?.count ?? 0;
}
