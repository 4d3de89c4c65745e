import type { Tx } from '../with-account.ts';

export type NewDelivery = { subscriptionId: string; body: Uint8Array };

/** Stores a delivery unchanged. False when the same body is already stored. */
export async function insertDelivery(tx: Tx, accountId: string, delivery: NewDelivery): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert-delivery',
    text: `
      insert into landfall.carrier_deliveries (account_id, subscription_id, body, body_hash)
      values ($1, $2, $3, sha256($3))
      on conflict on constraint carrier_deliveries_once do nothing`,
    values: [accountId, delivery.subscriptionId, Buffer.from(delivery.body)],
  });
  return rowCount === 1;
}

/** Records that the carrier delivers, at most once a minute. The first delivery marks the subscription as trusted. */
export async function noteDelivery(tx: Tx, accountId: string, subscriptionId: string): Promise<void> {
  await tx.query({
    name: 'note-delivery',
    text: `
      update landfall.carrier_subscriptions
      set last_delivery_at = now(), verified_at = coalesce(verified_at, now())
      where account_id = $1 and id = $2 and (verified_at is null or coalesce(last_delivery_at < now() - interval '1 minute', true))`,
    values: [accountId, subscriptionId],
  });
}
