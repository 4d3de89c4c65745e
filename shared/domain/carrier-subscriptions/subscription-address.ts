import { decodeTypeId, encodeTypeId } from '../type-id.ts';

/** The last part of a callback URL: the subscription's public id and its random token. */
export function subscriptionName({ id, token }: { id: string; token: string }): string {
  return `${encodeTypeId('sub', id)}_${token}`;
}

/** Parses that part. Null: it has another form. */
export function readSubscriptionName(name: string): { id: string; token: string } | null {
  const parts = /^(sub_[0-9a-z]{26})_([0-9a-f]{32})$/.exec(name);
  const id = parts?.[1] === undefined ? null : decodeTypeId('sub', parts[1]);
  return id === null || parts?.[2] === undefined ? null : { id, token: parts[2] };
}

/** The URL that the carrier sends its deliveries to. */
export function callbackUrlOf(baseUrl: string, subscription: { connector: string; id: string; token: string }): string {
  return `${baseUrl.replace(/\/+$/, '')}/hooks/${subscription.connector}/${subscriptionName(subscription)}`;
}
