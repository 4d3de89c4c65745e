export type StoredSecret = { keyVersion: string; sealed: Buffer };

/** A subscription at a carrier. Ages and times are by Postgres's clock. */
export type PushSubscription = {
  accountId: string;
  id: string;
  token: string;
  connector: string;
  carrier: string;
  allCarriers: boolean;
  credentialId: string;
  callbackUrl: string;
  carrierSubscriptionId: string | null;
  secret: StoredSecret;
  secretAgeS: number;
  /** The previous secret while it is still accepted. `confirmed`: the carrier uses the new one. */
  previous: (StoredSecret & { confirmed: boolean; leftS: number | null }) | null;
  state: 'requested' | 'active' | 'failed' | 'ended';
  failures: number;
  epoch: number;
};

export type SubscriptionRow = {
  accountId: string;
  id: string;
  token: string;
  connector: string;
  carrier: string;
  allCarriers: boolean;
  credentialId: string;
  callbackUrl: string;
  carrierSubscriptionId: string | null;
  keyVersion: string;
  secretSealed: Buffer;
  secretAgeS: number;
  previousKeyVersion: string | null;
  previousSealed: Buffer | null;
  previousLeftS: number | null;
  state: PushSubscription['state'];
  failures: number;
  epoch: number;
};

/** Selected from `landfall.carrier_subscriptions as s`. */
export const subscriptionColumns = `
  s.account_id, s.id, s.token, s.connector, s.carrier, s.all_carriers, s.credential_id, s.callback_url, s.carrier_subscription_id,
  s.key_version, s.secret_sealed, extract(epoch from now() - s.secret_made_at)::float8 as secret_age_s,
  s.previous_key_version, s.previous_sealed, extract(epoch from s.previous_until - now())::float8 as previous_left_s,
  s.state, s.failures, s.epoch`;

export function toSubscription(row: SubscriptionRow): PushSubscription {
  return {
    accountId: row.accountId,
    id: row.id,
    token: row.token,
    connector: row.connector,
    carrier: row.carrier,
    allCarriers: row.allCarriers,
    credentialId: row.credentialId,
    callbackUrl: row.callbackUrl,
    carrierSubscriptionId: row.carrierSubscriptionId,
    secret: { keyVersion: row.keyVersion, sealed: row.secretSealed },
    secretAgeS: row.secretAgeS,
    previous: previousOf(row),
    state: row.state,
    failures: row.failures,
    epoch: Number(row.epoch),
  };
}

function previousOf(row: SubscriptionRow): PushSubscription['previous'] {
  const { previousKeyVersion: keyVersion, previousSealed: sealed, previousLeftS: leftS } = row;
  if (keyVersion === null || sealed === null || (leftS !== null && leftS <= 0)) return null;
  return { keyVersion, sealed, confirmed: leftS !== null, leftS };
}
