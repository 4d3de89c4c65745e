import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** The alerts of all accounts. Counts end at 10,000; ages are seconds, 0 if nothing waits to be evaluated or sent. */
export type AlertState = { alerts: number; waiting: number; oldestUnsentAgeS: number; failedToday: number };

const maxCounted = 10_000;

export async function readAlertState(tx: Tx): Promise<AlertState> {
  const rows = await readRows<AlertState>(tx, {
    name: 'read-alert-state',
    text: `
      select
        (
          select count(*)::integer from (select from landfall.alerts where paused_at is null limit ${maxCounted}) as active
        ) as alerts,
        (
          select count(*)::integer from (
            select from landfall.alert_messages where state = 'waiting' limit ${maxCounted}
          ) as waiting
        ) as waiting,
        greatest(
          0,
          (
            -- An address of one member that does not answer makes nothing late: its messages wait for their next try.
            select extract(epoch from now() - min(case when channel = 'email' then created_at else next_try_at end))
            from (
              select channel, created_at, next_try_at from landfall.alert_messages
              where state = 'waiting'
              order by next_try_at
              limit ${maxCounted}
            ) as unsent
          ),
          -- Changes that nobody evaluates.
          (
            select extract(epoch from now() - min(unevaluated.created_at))
            from landfall.alert_cursors as k
            join landfall.account_feeds as f on f.account_id = k.account_id and f.given > k.sequence
            cross join lateral (
              select c.created_at from landfall.changes as c
              where c.account_id = k.account_id and c.test = k.test and c.sequence > k.sequence
              order by c.sequence
              limit 1
            ) as unevaluated
          ),
          -- Mailboxes that nobody empties.
          (select extract(epoch from now() - min(due_at)) from landfall.alert_mailboxes where due_at is not null)
        )::float8 as "oldestUnsentAgeS",
        (
          select count(*)::integer from (
            select from landfall.alert_messages
            where state <> 'waiting' and created_at > now() - interval '1 day' and state = 'failed'
            limit ${maxCounted}
          ) as failed
        ) as "failedToday"`,
  });
  const [state] = rows;
  if (state === undefined) throw new Error('read-alert-state returned no row');
  return state;
}
