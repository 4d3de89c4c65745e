import type { Tx } from '../with-account.ts';

/** More shipments than this are made due by the worker, so that no request waits for them. */
const wokenAtOnce = 500;
/** Refreshes that began before the change may still end with the old credentials. */
const lateRefreshesS = 10;

/** Shipments whose credentials have changed: an account's at a carrier, or everybody's on a connector. */
export type Wake =
  | { accountId: string; carrier: string; connector: null }
  | { accountId: null; carrier: null; connector: string };

/** Makes the account's shipments with a carrier that wait for credentials due at once: the first now, the others by the worker. Gives how many now. */
export async function wakeWaiting(tx: Tx, accountId: string, carrier: string): Promise<number> {
  await insertWake(tx, { accountId, carrier, connector: null });
  return makeWaitingDue(tx, { accountId, carrier, connector: null }, { limit: wokenAtOnce, sinceS: 0 });
}

/** Among so many of the newest shipments one is looked for that is followed. */
const newestTried = 200;
/** Longer than a worker goes on using the credentials that were replaced. */
const triedAfterS = 5;

/** Makes one shipment of the account with a carrier due, so that new credentials are tried now and not with the next refresh that happens to come. */
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

/** Leaves a wake for the worker, which takes it within a second or two. */
export async function insertWake(tx: Tx, wake: Wake): Promise<void> {
  await tx.query({
    name: 'insert-credential-wake',
    text: 'insert into landfall.credential_wakes (account_id, carrier, connector) values ($1, $2, $3)',
    values: [wake.accountId, wake.carrier, wake.connector],
  });
}

/**
 * Makes up to `limit` shipments due that wait for credentials since before the change, `sinceS` seconds ago; gives how many. Those that are
 * locked come the next time.
 */
export async function makeWaitingDue(tx: Tx, wake: Wake, options: { limit: number; sinceS: number }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'make-waiting-due',
    text: `
      with waiting as (
        select p.account_id, p.shipment_id
        from landfall.polling as p
        join landfall.shipments as s on s.account_id = p.account_id and s.id = p.shipment_id
        where p.reason in ('credentials_missing', 'carrier_auth_failed') and p.next_refresh_at > now()
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
