import type { Channel } from '#shared/domain/alerts/alert.ts';
import type { AlertMessage, EntryFacts, MessageState } from '#shared/domain/alerts/entry.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import type { ClaimedMessage } from './claim-messages.ts';

/** The outcome of a try. `nextTryInMs` only of one that waits. */
export type MessageOutcome = Pick<ClaimedMessage, 'accountId' | 'id' | 'epoch'> & {
  state: MessageState;
  error: string | null;
  nextTryInMs: number | null;
};

/** Writes outcomes. A message that another worker has by now is left out. Returns how many were written. */
export async function recordMessages(tx: Tx, outcomes: readonly MessageOutcome[]): Promise<number> {
  if (outcomes.length === 0) return 0;
  const { rowCount } = await tx.query({
    name: 'record-alert-messages',
    text: `
      with held as (
        select o.*
        from json_to_recordset($1::json) as o ("accountId" uuid, id uuid, epoch bigint, state text, error text, "nextTryInMs" float8)
        join landfall.alert_messages as m on m.account_id = o."accountId" and m.id = o.id and m.epoch = o.epoch and m.state = 'waiting'
        order by m.account_id, m.id
        for no key update of m
      )
      update landfall.alert_messages as m
      set state = o.state, error = o.error, lease_until = null,
        next_try_at = case when o.state = 'waiting' then now() + o."nextTryInMs" * interval '1 millisecond' end,
        sent_at = case when o.state = 'sent' then now() end
      from held as o
      where m.account_id = o."accountId" and m.id = o.id`,
    values: [JSON.stringify(outcomes)],
  });
  return rowCount ?? 0;
}

/** Gives claims back without a try: the worker is stopping. */
export async function releaseMessages(
  tx: Tx,
  claims: readonly Pick<ClaimedMessage, 'accountId' | 'id' | 'epoch'>[],
): Promise<void> {
  if (claims.length === 0) return;
  await tx.query({
    name: 'release-alert-messages',
    text: `
      update landfall.alert_messages as m
      set lease_until = null, tries = m.tries - 1
      from json_to_recordset($1::json) as g ("accountId" uuid, id uuid, epoch bigint)
      where m.account_id = g."accountId" and m.id = g.id and m.epoch = g.epoch and m.state = 'waiting'`,
    values: [JSON.stringify(claims)],
  });
}

/** An entry of a message. */
export type MessageEntry = { key: string; alertIds: string[]; facts: EntryFacts };

/** The first entries of messages, in the order in which they were written, at most `limit` of each, by message. */
export async function readMessageEntries(
  tx: Tx,
  accountId: string,
  { messageIds, limit, offset = 0 }: { messageIds: readonly string[]; limit: number; offset?: number },
): Promise<Map<string, MessageEntry[]>> {
  const rows = await readRows<{ messageId: string; key: string; alertIds: string[]; facts: EntryFacts }>(tx, {
    name: 'read-alert-message-entries',
    text: `
      select m.id as message_id, e.key, e.alert_ids, e.facts
      from unnest($2::uuid[]) as m (id)
      cross join lateral (
        select key, alert_ids, facts, created_at
        from landfall.alert_entries
        where account_id = $1 and message_id = m.id
        order by created_at, key
        limit $3 offset $4
      ) as e
      order by m.id, e.created_at, e.key`,
    values: [accountId, messageIds, limit, offset],
  });
  const found = new Map<string, MessageEntry[]>();
  for (const { messageId: id, key, alertIds, facts } of rows) {
    const entries = found.get(id) ?? [];
    entries.push({ key, alertIds, facts });
    found.set(id, entries);
  }
  return found;
}

/** The alerts that a message comes from. Null: the member has no such message any more. */
export async function readMessageAlerts(
  tx: Tx,
  accountId: string,
  { id, userId }: { id: string; userId: string },
): Promise<string[] | null> {
  const rows = await readRows<{ alertIds: string[] }>(tx, {
    name: 'read-alert-message-alerts',
    text: `
      select array(
          select distinct a.id
          from landfall.alert_entries as e
          cross join unnest(e.alert_ids) as a (id)
          where e.account_id = m.account_id and e.message_id = m.id
        ) as alert_ids
      from landfall.alert_messages as m
      where m.account_id = $1 and m.id = $2 and m.user_id = $3`,
    values: [accountId, id, userId],
  });
  return rows[0]?.alertIds ?? null;
}

const columns = 'id, channel, timing, kind, entries, state, tries, error, created_at, sent_at';

/** The member's messages of a mode, newest first, before the one with the id `before`. */
export async function listMessages(
  tx: Tx,
  accountId: string,
  { userId, test, before, limit }: { userId: string; test: boolean; before: string | null; limit: number },
): Promise<AlertMessage[]> {
  return readRows<AlertMessage>(tx, {
    name: 'list-alert-messages',
    text: `
      select ${columns} from landfall.alert_messages
      where account_id = $1 and user_id = $2 and test = $3 and ($4::uuid is null or id < $4)
      order by id desc
      limit $5`,
    values: [accountId, userId, test, before, limit],
  });
}

/** A message of the member and mode. Null: there is none. */
export async function readMessage(
  tx: Tx,
  accountId: string,
  { id, userId, test }: { id: string; userId: string; test: boolean },
): Promise<AlertMessage | null> {
  const rows = await readRows<AlertMessage>(tx, {
    name: 'read-alert-message',
    text: `
      select ${columns} from landfall.alert_messages
      where account_id = $1 and user_id = $2 and id = $3 and test = $4`,
    values: [accountId, userId, id, test],
  });
  return rows[0] ?? null;
}

/**
 * Puts a message into the outbox that says only that the channel works. Returns its id, or that of one which still waits
 * for its first try.
 */
export async function insertTrial(
  tx: Tx,
  accountId: string,
  { id, userId, channel, test }: { id: string; userId: string; channel: Channel; test: boolean },
): Promise<string> {
  const rows = await readRows<{ id: string }>(tx, {
    name: 'insert-alert-trial',
    text: `
      with waiting as (
        select id from landfall.alert_messages
        where account_id = $1 and user_id = $3 and channel = $4 and test = $5 and kind = 'trial' and state = 'waiting'
          and sent_at is null and error is null
        order by id desc
        limit 1
      ),
      added as (
        insert into landfall.alert_messages (account_id, id, user_id, channel, test, timing, kind, entries, next_try_at)
        select $1, $2, $3, $4, $5, 'at_once', 'trial', 0, now()
        where not exists (select from waiting)
        returning id
      )
      select id from added union all select id from waiting`,
    values: [accountId, id, userId, channel, test],
  });
  return rows[0]?.id ?? id;
}
