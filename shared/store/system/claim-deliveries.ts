import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** A delivery claimed by the caller. `carrier` null: it may concern any carrier of the connector. */
export type ClaimedDelivery = {
  accountId: string;
  id: string;
  subscriptionId: string;
  connector: string;
  carrier: string | null;
  credentialId: string;
  body: Buffer;
  /** Includes this attempt. */
  attempts: number;
};

type ClaimedRow = {
  accountId: string;
  id: string;
  subscriptionId: string;
  connector: string;
  carrier: string | null;
  credentialId: string;
  body: Buffer;
  attempts: number;
};

const firstPauseS = 15;
const maxPauseS = 3600;

/**
 * Claims the oldest waiting delivery of up to `limit` accounts, so that an account with very many doesn't delay the
 * others. A claim that isn't settled, for example because its worker died, expires after 15 s, and after twice as long
 * each further time.
 */
export async function claimDeliveries(tx: Tx, limit: number): Promise<ClaimedDelivery[]> {
  return readRows<ClaimedRow>(tx, {
    name: 'claim-deliveries',
    text: `
      with recursive accounts_with_work as (
        (select account_id from landfall.carrier_deliveries where state = 'received' order by account_id limit 1)
        union all
        select (
          select d.account_id from landfall.carrier_deliveries as d
          where d.state = 'received' and d.account_id > a.account_id
          order by d.account_id
          limit 1
        )
        from accounts_with_work as a
        where a.account_id is not null
      ),
      waiting as (
        select next.account_id, next.id
        from accounts_with_work as a
        cross join lateral (
          select d.account_id, d.id
          from landfall.carrier_deliveries as d
          where d.account_id = a.account_id and d.state = 'received' and d.retry_at <= now()
          order by d.id
          limit 1
        ) as next
        where a.account_id is not null
        order by random()
        limit $1
      ),
      locked as (
        select d.account_id, d.id
        from landfall.carrier_deliveries as d
        join waiting using (account_id, id)
        where d.state = 'received' and d.retry_at <= now()
        for update of d skip locked
      )
      update landfall.carrier_deliveries as d
      set attempts = d.attempts + 1, retry_at = now() + make_interval(secs => least(${maxPauseS}, ${firstPauseS} * 2 ^ least(d.attempts, 12)))
      from locked, landfall.carrier_subscriptions as s
      where d.account_id = locked.account_id and d.id = locked.id and s.account_id = d.account_id and s.id = d.subscription_id
      returning d.account_id, d.id, d.subscription_id, s.connector, case when not s.all_carriers then s.carrier end as carrier, s.credential_id,
        d.body, d.attempts`,
    values: [limit],
  });
}

export type SettledDelivery = {
  accountId: string;
  id: string;
  state: 'processed' | 'failed';
  events: number;
  shipments: number;
  reason: string | null;
};

/** Completes a delivery. */
export async function settleDelivery(tx: Tx, settled: SettledDelivery): Promise<void> {
  await tx.query({
    name: 'settle-delivery',
    text: `
      update landfall.carrier_deliveries
      set state = $3, events = $4, shipments = $5, reason = $6, processed_at = now()
      where account_id = $1 and id = $2 and state = 'received'`,
    values: [settled.accountId, settled.id, settled.state, settled.events, settled.shipments, settled.reason],
  });
}
