import { readRows } from '../read-rows.ts';
import { isFree } from '../webhooks/waiting-endpoints.ts';
import type { Tx } from '../with-account.ts';

/** One mode of an account, whose feed is evaluated by its alerts, at one epoch. */
export type AlertClaim = { accountId: string; test: boolean; epoch: number };

/** Claims up to `limit` free cursors whose feed has grown, of these accounts or, with null, of all. */
export async function claimAlertCursors(
  tx: Tx,
  accountIds: readonly string[] | null,
  { limit, leaseS }: { limit: number; leaseS: number },
): Promise<AlertClaim[]> {
  return readRows<{ accountId: string; test: boolean; epoch: number }>(tx, {
    name: accountIds === null ? 'claim-all-alert-cursors' : 'claim-alert-cursors',
    text: `
      with candidates as materialized (
        select c.account_id, c.test
        from landfall.alert_cursors as c
        join landfall.account_feeds as f on f.account_id = c.account_id
        where ${accountIds === null ? '' : 'c.account_id = any ($3::uuid[]) and'} c.sequence < f.given and ${isFree}
      ),
      free as (
        select c.account_id, c.test
        from candidates
        join landfall.alert_cursors as c on c.account_id = candidates.account_id and c.test = candidates.test
        where ${isFree}
        -- No feed with much to evaluate comes before the others each time.
        order by random()
        limit $1
        for no key update of c skip locked
      )
      update landfall.alert_cursors as c
      set epoch = c.epoch + 1, lease_until = now() + make_interval(secs => $2)
      from free
      where c.account_id = free.account_id and c.test = free.test
      returning c.account_id, c.test, c.epoch`,
    values: [limit, leaseS, ...(accountIds === null ? [] : [accountIds])],
  });
}

/** The sequence of a claimed cursor. Null: another worker has it. */
export async function readAlertSequence(tx: Tx, { accountId, test, epoch }: AlertClaim): Promise<number | null> {
  const rows = await readRows<{ sequence: number }>(tx, {
    name: 'read-alert-sequence',
    text: 'select sequence from landfall.alert_cursors where account_id = $1 and test = $2 and epoch = $3',
    values: [accountId, test, epoch],
  });
  return rows[0]?.sequence ?? null;
}

/**
 * Moves a claimed cursor and renews its lease. False: another worker has it, or it has moved, so that whatever this
 * transaction wrote was written before.
 */
export async function moveAlertCursor(
  tx: Tx,
  { accountId, test, epoch }: AlertClaim,
  { from, to, leaseS }: { from: number; to: number; leaseS: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'move-alert-cursor',
    text: `
      update landfall.alert_cursors
      set sequence = $5, lease_until = now() + make_interval(secs => $6)
      where account_id = $1 and test = $2 and epoch = $3 and sequence = $4`,
    values: [accountId, test, epoch, from, to, leaseS],
  });
  return rowCount === 1;
}

/** Ends claims. */
export async function releaseAlertCursors(tx: Tx, claims: readonly AlertClaim[]): Promise<void> {
  await tx.query({
    name: 'release-alert-cursors',
    text: `
      with held as (
        select c.account_id, c.test
        from json_to_recordset($1::json) as g ("accountId" uuid, test boolean, epoch bigint)
        join landfall.alert_cursors as c on c.account_id = g."accountId" and c.test = g.test and c.epoch = g.epoch
        order by c.account_id, c.test
        for no key update of c
      )
      update landfall.alert_cursors as c set lease_until = null
      from held
      where c.account_id = held.account_id and c.test = held.test`,
    values: [JSON.stringify(claims)],
  });
}

/**
 * The sequence from which a new alert of this mode reports changes. Begins the cursor with the first alert; one that
 * nobody followed for a while goes on from here.
 */
export async function beginAlertCursor(
  tx: Tx,
  accountId: string,
  { test, now }: { test: boolean; now: string },
): Promise<number> {
  const rows = await readRows<{ given: number }>(tx, {
    name: 'begin-alert-cursor',
    text: `
      with feed as (
        select coalesce((select given from landfall.account_feeds where account_id = $1), 0) as given
      ),
      begun as (
        insert into landfall.alert_cursors (account_id, test, sequence, swept_at)
        select $1, $2, feed.given, $3 from feed
        on conflict (account_id, test) do nothing
      )
      select given from feed`,
    values: [accountId, test, now],
  });
  return rows[0]?.given ?? 0;
}

/**
 * Locks up to `limit` cursors that were last swept before `before`, for the rest of the transaction. Cursors that are
 * locked elsewhere are left for later.
 */
export async function lockUnswept(
  tx: Tx,
  { before, limit }: { before: string; limit: number },
): Promise<{ accountId: string; test: boolean; sweptAt: string }[]> {
  return readRows<{ accountId: string; test: boolean; sweptAt: string }>(tx, {
    name: 'lock-unswept-alert-cursors',
    text: `
      select account_id, test, swept_at
      from landfall.alert_cursors
      where swept_at < $1
      order by swept_at
      limit $2
      for no key update skip locked`,
    values: [before, limit],
  });
}

export async function moveSwept(
  tx: Tx,
  { accountId, test, to }: { accountId: string; test: boolean; to: string },
): Promise<void> {
  await tx.query({
    name: 'move-alert-sweep',
    text: 'update landfall.alert_cursors set swept_at = $3 where account_id = $1 and test = $2',
    values: [accountId, test, to],
  });
}
