import type { Tx } from '../with-account.ts';

/** Above this number, the worker makes shipments due, so that no request waits for it. */
const wokenAtOnce = 500;
/** Refreshes that started before the change may still fail with the old credentials. */
const lateRefreshesS = 10;

/** Shipments whose credentials have changed: those of an account at a carrier, or all of a connector. */
export type Wake =
  | { accountId: string; carrier: string; connector: null }
  | { accountId: null; carrier: null; connector: string };

/**
 * Makes the account's shipments with a carrier that wait for credentials due immediately: the first ones now, the rest
 * by the worker. Returns how many now.
 */
export async function wakeWaiting(tx: Tx, accountId: string, carrier: string): Promise<number> {
  await insertWake(tx, { accountId, carrier, connector: null });
  return makeWaitingDue(tx, { accountId, carrier, connector: null }, { limit: wokenAtOnce, sinceS: 0 });
}

/** Number of the newest shipments to search for an active one. */
const newestTried = 200;
/** Longer than a worker continues to use replaced credentials. */
const triedAfterS = 5;

/**
 * Makes one shipment of the account with a carrier due, so that new credentials are tested immediately instead of at
 * the next scheduled refresh.
 */
export async function makeOneDue(tx: Tx, accountId: string, carrier: string): Promise<void> {
  await tx.query({
    name: 'make-one-due',
    text: `
      with newest as (
        select id, created_at from landfall.shipments
        where account_id = $1 and not test and carrier = $2
        order by created_at desc, id desc
        limit ${newestTried}
      ),
      one as (
        select p.shipment_id
        from newest as n
        join landfall.polling as p on p.account_id = $1 and p.shipment_id = n.id
        where p.next_refresh_at > now() + interval '${triedAfterS} seconds'
        order by n.created_at desc
        limit 1
        for no key update of p skip locked
      )
      update landfall.polling as p
      set next_refresh_at = now() + interval '${triedAfterS} seconds'
      from one
      where p.account_id = $1 and p.shipment_id = one.shipment_id`,
    values: [accountId, carrier],
  });
}

/** Queues a wake for the worker, which processes it within a second or two. */
export async function insertWake(tx: Tx, wake: Wake): Promise<void> {
  await tx.query({
    name: 'insert-credential-wake',
    text: 'insert into landfall.credential_wakes (account_id, carrier, connector) values ($1, $2, $3)',
    values: [wake.accountId, wake.carrier, wake.connector],
  });
}

/**
 * Makes up to `limit` shipments due that have been waiting for credentials since before the change, `sinceS` seconds
 * ago. Returns how many. Locked shipments are left for the next call.
 */
export async function makeWaitingDue(tx: Tx, wake: Wake, options: { limit: number; sinceS: number }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'make-waiting-due',
    text: `
      with waiting as (
        select p.account_id, p.shipment_id
        from landfall.polling as p
        join landfall.shipments as s on s.account_id = p.account_id and s.id = p.shipment_id
        where p.reason in ('credentials_missing', 'carrier_auth_failed', 'data_withheld') and p.next_refresh_at > now()
          and ($1::uuid is null or p.account_id = $1) and ($2::text is null or s.carrier = $2) and ($3::text is null or p.connector = $3)
          and (p.last_refreshed_at is null or p.last_refreshed_at < now() - make_interval(secs => $4) + interval '${lateRefreshesS} seconds')
          and not s.test
        limit $5
        for no key update of p skip locked
      )
      update landfall.polling as p
      set next_refresh_at = now()
      from waiting as w
      where p.account_id = w.account_id and p.shipment_id = w.shipment_id`,
    values: [wake.accountId, wake.carrier, wake.connector, options.sinceS, options.limit],
  });
  return rowCount ?? 0;
}
