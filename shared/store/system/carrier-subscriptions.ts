import {
  type PushSubscription,
  type SubscriptionRow,
  subscriptionColumns,
  toSubscription,
} from '../carrier-subscriptions/carrier-subscription-row.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** A need for push: an account with active shipments of a carrier. */
export type PushNeed = { accountId: string; connector: string; carrier: string };

/** Enough to cover every carrier of an account within a few rounds, and quick to read for accounts of any size. */
const shipmentsSeen = 200;

/** The accounts and carriers of these connectors that have active shipments. */
export async function findPushNeeds(tx: Tx, connectors: readonly string[]): Promise<PushNeed[]> {
  return readRows<{ accountId: string; connector: string; carrier: string }>(tx, {
    name: 'find-push-needs',
    text: `
      with recursive accounts_with_work as (
        select c.connector, (
          select p.account_id from landfall.polling as p
          where p.connector = c.connector and p.next_refresh_at is not null
          order by p.account_id
          limit 1
        ) as account_id
        from unnest($1::text[]) as c (connector)
        union all
        select a.connector, (
          select p.account_id from landfall.polling as p
          where p.connector = a.connector and p.next_refresh_at is not null and p.account_id > a.account_id
          order by p.account_id
          limit 1
        )
        from accounts_with_work as a
        where a.account_id is not null
      )
      select distinct a.account_id, a.connector, s.carrier
      from accounts_with_work as a
      cross join lateral (
        select p.shipment_id from landfall.polling as p
        where p.connector = a.connector and p.account_id = a.account_id and p.next_refresh_at is not null
        order by p.next_refresh_at
        limit ${shipmentsSeen}
      ) as seen
      join landfall.shipments as s on s.account_id = a.account_id and s.id = seen.shipment_id
      where a.account_id is not null and not s.test
      order by a.account_id, a.connector, s.carrier`,
    values: [connectors],
  });
}

/** Returns whether any active shipment needs this subscription. */
export async function isPushNeeded(
  tx: Tx,
  { accountId, connector, carrier }: PushNeed,
  allCarriers: boolean,
): Promise<boolean> {
  const rows = await readRows<{ needed: boolean }>(tx, {
    name: 'is-push-needed',
    text: `
      select exists (
        select from landfall.polling as p
        join landfall.shipments as s on s.account_id = p.account_id and s.id = p.shipment_id
        where p.connector = $2 and p.account_id = $1 and p.next_refresh_at is not null and not s.test and ($4 or s.carrier = $3)
      ) as needed`,
    values: [accountId, connector, carrier, allCarriers],
  });
  return rows[0]?.needed === true;
}

/** The subscriptions that have not ended. */
export async function listLiveSubscriptions(tx: Tx): Promise<PushNeedOfSubscription[]> {
  return readRows<{
    accountId: string;
    connector: string;
    carrier: string;
    allCarriers: boolean;
    credentialId: string;
  }>(tx, {
    name: 'list-live-subscriptions',
    text: `
      select account_id, connector, carrier, all_carriers, credential_id
      from landfall.carrier_subscriptions
      where state <> 'ended'`,
  });
}

export type PushNeedOfSubscription = PushNeed & { allCarriers: boolean; credentialId: string };

export type NewSubscription = PushNeedOfSubscription & {
  id: string;
  token: string;
  callbackUrl: string;
  keyVersion: string;
  sealed: Buffer;
};

/** Adds a subscription, not yet requested from the carrier. False when these credentials already have one. */
export async function insertSubscription(tx: Tx, subscription: NewSubscription): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert-subscription',
    text: `
      insert into landfall.carrier_subscriptions (
        account_id, id, token, connector, carrier, all_carriers, credential_id, callback_url, key_version, secret_sealed
      )
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (account_id, connector, credential_id) where state <> 'ended' do nothing`,
    values: [
      subscription.accountId,
      subscription.id,
      subscription.token,
      subscription.connector,
      subscription.carrier,
      subscription.allCarriers,
      subscription.credentialId,
      subscription.callbackUrl,
      subscription.keyVersion,
      subscription.sealed,
    ],
  });
  return rowCount === 1;
}

/**
 * The active subscriptions with these ids, in their order and in any account, because a delivery carries nothing else.
 * Null where there is none.
 */
export async function findSubscriptions(tx: Tx, ids: readonly string[]): Promise<(PushSubscription | null)[]> {
  const rows = await readRows<SubscriptionRow>(tx, {
    name: 'find-subscriptions',
    text: `
      select ${subscriptionColumns} from landfall.carrier_subscriptions as s
      where s.id = any($1::uuid[]) and s.state <> 'ended'`,
    values: [ids],
  });
  const found = new Map(rows.map((row) => [row.id, toSubscription(row)]));
  return ids.map((id) => found.get(id) ?? null);
}

const leaseS = 60;

/** Claims up to `limit` due subscriptions. `early` includes those that are not due yet and have no failures. */
export async function claimSubscriptions(
  tx: Tx,
  { limit, early }: { limit: number; early: boolean },
): Promise<PushSubscription[]> {
  const rows = await readRows<SubscriptionRow>(tx, {
    name: 'claim-subscriptions',
    text: `
      with due as (
        select account_id, id
        from landfall.carrier_subscriptions
        where state <> 'ended' and (check_at <= now() or ($2 and failures = 0 and check_at > now() + interval '${leaseS} s'))
        order by check_at
        limit $1
        for update skip locked
      )
      update landfall.carrier_subscriptions as s
      set epoch = s.epoch + 1, check_at = now() + interval '${leaseS} s'
      from due
      where s.account_id = due.account_id and s.id = due.id
      returning ${subscriptionColumns}`,
    values: [limit, early],
  });
  return rows.map(toSubscription);
}

export type SubscriptionStanding = {
  state: PushSubscription['state'];
  reason: string | null;
  failures: number;
  checkInS: number;
  callbackUrl: string;
  carrierSubscriptionId: string | null;
};

/** Completes the work on a claimed subscription. False when another worker has claimed it since. */
export async function settleSubscription(
  tx: Tx,
  claimed: PushSubscription,
  standing: SubscriptionStanding,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'settle-subscription',
    text: `
      update landfall.carrier_subscriptions
      set state = $4, reason = $5, failures = $6, check_at = now() + make_interval(secs => $7), callback_url = $8, carrier_subscription_id = $9,
        ended_at = case when $4 = 'ended' then now() end
      where account_id = $1 and id = $2 and epoch = $3 and state <> 'ended'`,
    values: [
      claimed.accountId,
      claimed.id,
      claimed.epoch,
      standing.state,
      standing.reason,
      standing.failures,
      standing.checkInS,
      standing.callbackUrl,
      standing.carrierSubscriptionId,
    ],
  });
  return rowCount === 1;
}

/**
 * Stores a new secret and keeps accepting the previous one until the carrier confirms. Commit before calling the
 * carrier: a lost response leaves open which secret it uses. False when another worker has claimed it since.
 */
export async function stageSecret(
  tx: Tx,
  claimed: PushSubscription,
  secret: { keyVersion: string; sealed: Buffer },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'stage-secret',
    text: `
      update landfall.carrier_subscriptions
      set previous_key_version = key_version, previous_sealed = secret_sealed, previous_until = null,
        key_version = $4, secret_sealed = $5, secret_made_at = now()
      where account_id = $1 and id = $2 and epoch = $3 and state <> 'ended'`,
    values: [claimed.accountId, claimed.id, claimed.epoch, secret.keyVersion, secret.sealed],
  });
  return rowCount === 1;
}

/** Records that the carrier uses the new secret. The previous one is accepted for another `overlapS` seconds. */
export async function confirmSecret(tx: Tx, claimed: PushSubscription, overlapS: number): Promise<void> {
  await tx.query({
    name: 'confirm-secret',
    text: `
      update landfall.carrier_subscriptions
      set previous_until = now() + make_interval(secs => $4)
      where account_id = $1 and id = $2 and epoch = $3 and previous_sealed is not null and previous_until is null`,
    values: [claimed.accountId, claimed.id, claimed.epoch, overlapS],
  });
}

/** Deletes previous secrets that have expired. */
export async function forgetFormerSecrets(tx: Tx): Promise<void> {
  await tx.query({
    name: 'forget-former-secrets',
    text: `
      update landfall.carrier_subscriptions
      set previous_key_version = null, previous_sealed = null, previous_until = null
      where previous_until <= now()`,
  });
}
