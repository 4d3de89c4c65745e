import type { Channel, Timing } from '#shared/domain/alerts/alert.ts';
import type { Lane } from '#shared/domain/alerts/entry.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** A message that this worker sends, at its epoch. */
export type ClaimedMessage = {
  accountId: string;
  id: string;
  userId: string;
  channel: Channel;
  test: boolean;
  timing: Timing;
  kind: 'changes' | 'trial';
  entries: number;
  /** With this one. */
  tries: number;
  epoch: number;
  createdAt: string;
};

type ClaimedRow = Omit<ClaimedMessage, 'accountId' | 'userId' | 'createdAt'> & {
  accountId: string;
  userId: string;
  createdAt: string;
};

/** Due messages that are looked at for a fair choice. */
const maxDue = 1000;

/**
 * Claims up to `limit` messages of a lane whose next try is due, each for `leaseS` seconds. An expired lease is free
 * again. Accounts take turns, and one has at most `perAccount` under way, so that an account whose receivers hang does
 * not keep others waiting.
 */
export async function claimMessages(
  tx: Tx,
  { lane, limit, perAccount, leaseS }: { lane: Lane; limit: number; perAccount: number; leaseS: number },
): Promise<ClaimedMessage[]> {
  return readRows<ClaimedRow>(tx, {
    name: 'claim-alert-messages',
    text: `
      with candidates as materialized (
        select account_id, id, next_try_at, coalesce(lease_until > now(), false) as is_taken
        from landfall.alert_messages
        where state = 'waiting' and next_try_at <= now() and (channel = 'email') = $3
        order by next_try_at
        limit ${maxDue}
      ),
      turns as (
        select account_id, id, is_taken,
          row_number() over (partition by account_id order by is_taken desc, next_try_at, id) as turn
        from candidates
      ),
      chosen as materialized (
        select account_id, id from turns where not is_taken and turn <= $4 order by turn limit $1
      ),
      due as materialized (
        select m.account_id, m.id
        from chosen as c
        join landfall.alert_messages as m on m.account_id = c.account_id and m.id = c.id
        where m.state = 'waiting' and m.next_try_at <= now() and (m.lease_until is null or m.lease_until <= now())
        for no key update of m skip locked
      )
      update landfall.alert_messages as m
      set epoch = m.epoch + 1, tries = least(m.tries + 1, 1000), lease_until = now() + make_interval(secs => $2)
      from due
      where m.account_id = due.account_id and m.id = due.id
      returning m.account_id, m.id, m.user_id, m.channel, m.test, m.timing, m.kind, m.entries, m.tries, m.epoch, m.created_at`,
    values: [limit, leaseS, lane === 'mails', perAccount],
  });
}
