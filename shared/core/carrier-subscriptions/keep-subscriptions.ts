import type { SubscriptionCarrier } from '#shared/domain/carrier-subscriptions/carrier-subscription.ts';
import { callbackUrlOf } from '#shared/domain/carrier-subscriptions/subscription-address.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import type { PushSubscription } from '#shared/store/carrier-subscriptions/carrier-subscription-row.ts';
import {
  claimSubscriptions,
  findPushNeeds,
  forgetFormerSecrets,
  insertSubscription,
  isPushNeeded,
  listLiveSubscriptions,
  type PushNeed,
  settleSubscription,
} from '#shared/store/system/carrier-subscriptions.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { maintainSubscription } from './maintain-subscription.ts';
import { newSubscriptionSecret } from './subscription-secret.ts';

/** Access to a carrier's subscriptions with the credential that serves the account. */
export type OpenedCarrier =
  | {
      kind: 'open';
      credentialId: string;
      carrier: SubscriptionCarrier;
      /** To call when all calls have ended. */
      release: () => void;
    }
  /** It can't be called now. `credentialId` null: no credential serves the account. */
  | { kind: 'closed'; credentialId: string | null; retryAfterMs: number | null; detail: string };

/** The credential that would serve, without a call. `allCarriers`: it serves every carrier of the connector. */
export type ServingCredential = { credentialId: string; allCarriers: boolean };

export type KeepOptions = {
  /** Connectors whose carriers push. */
  connectors: readonly string[];
  /** Address at which carriers reach the API; null: carrier subscriptions are off, and existing ones are ended. */
  callbackBaseUrl: string | null;
  /** Maximum age of a secret. */
  secretDays: number;
  credentialFor: (need: PushNeed) => Promise<ServingCredential | null>;
  open: (need: PushNeed) => Promise<OpenedCarrier>;
  signal: AbortSignal;
};

const maxClaims = 20;
const withoutCredentialMs = 300_000;
const minPauseS = 5;
const maxFailures = 12;

/**
 * Keeps one subscription at the carrier for each account, connector and credential with shipments in progress: creates
 * missing ones, checks existing ones when they are due, and ends those that are no longer needed. Any number of
 * processes may call it at the same time. Returns how many it handled.
 */
export async function keepSubscriptions(ctx: CoreContext, options: KeepOptions): Promise<number> {
  const isOn = options.callbackBaseUrl !== null && ctx.secretKeys !== null;
  if (isOn) await addMissing(ctx, options, options.callbackBaseUrl ?? '');
  await withSystem(ctx.store, forgetFormerSecrets);
  const claimed = await withSystem(ctx.store, (tx) => claimSubscriptions(tx, { limit: maxClaims, early: !isOn }));
  for (const subscription of claimed) {
    if (options.signal.aborted) break;
    try {
      await keepOne(ctx, options, { subscription, isOn });
    } catch (error) {
      const { id: subscriptionId, accountId, connector } = subscription;
      ctx.log.error({ err: error, subscriptionId, accountId, connector }, 'subscription maintenance failed');
    }
  }
  return claimed.length;
}

async function addMissing(
  ctx: CoreContext,
  { connectors, credentialFor }: KeepOptions,
  callbackBaseUrl: string,
): Promise<void> {
  const [needs, live] = await withSystem(
    ctx.store,
    async (tx) => [await findPushNeeds(tx, connectors), await listLiveSubscriptions(tx)] as const,
  );
  const keyOf = (each: { accountId: string; connector: string; credentialId: string }) =>
    JSON.stringify([each.accountId, each.connector, each.credentialId]);
  const known = new Set(live.map(keyOf));
  for (const need of needs) {
    const serving = await credentialFor(need);
    if (serving === null || known.has(keyOf({ ...need, ...serving }))) continue;
    known.add(keyOf({ ...need, ...serving }));
    const id = uuidv7(ctx.now().getTime(), globalThis.crypto.getRandomValues(new Uint8Array(10)));
    const token = hexOf(globalThis.crypto.getRandomValues(new Uint8Array(16)));
    const { stored } = await newSubscriptionSecret(ctx, { accountId: need.accountId, id });
    const callbackUrl = callbackUrlOf(callbackBaseUrl, { connector: need.connector, id, token });
    await withSystem(ctx.store, (tx) =>
      insertSubscription(tx, { ...need, ...serving, ...stored, id, token, callbackUrl }),
    );
  }
}

async function keepOne(
  ctx: CoreContext,
  options: KeepOptions,
  work: { subscription: PushSubscription; isOn: boolean },
): Promise<void> {
  const { subscription, isOn } = work;
  const isNeeded =
    isOn && (await withSystem(ctx.store, (tx) => isPushNeeded(tx, subscription, subscription.allCarriers)));
  const opened = await options.open(subscription);
  const isSame = opened.credentialId === subscription.credentialId;
  const { callbackBaseUrl, secretDays } = options;
  const callbackUrl =
    callbackBaseUrl === null ? subscription.callbackUrl : callbackUrlOf(callbackBaseUrl, subscription);
  try {
    if (opened.kind === 'open' && isSame) {
      await maintainSubscription(ctx, { subscription, carrier: opened.carrier, isNeeded, callbackUrl, secretDays });
    } else await postpone(ctx, subscription, opened);
  } finally {
    if (opened.kind === 'open') opened.release();
  }
}

/**
 * Without its credential, a subscription can't be maintained at the carrier. It ends when another credential serves the
 * account, or when none has for an hour, so that a key that is missing temporarily doesn't end it. Until then its
 * deliveries are accepted.
 */
async function postpone(ctx: CoreContext, subscription: PushSubscription, opened: OpenedCarrier): Promise<void> {
  const isGone = opened.credentialId === null;
  const failures = isGone ? subscription.failures + 1 : subscription.failures;
  const isLost = isGone ? failures >= maxFailures : opened.credentialId !== subscription.credentialId;
  const retryAfterMs = opened.kind === 'closed' ? opened.retryAfterMs : null;
  const detail = opened.kind === 'closed' ? opened.detail : null;
  await withSystem(ctx.store, (tx) =>
    settleSubscription(tx, subscription, {
      state: isLost ? 'ended' : subscription.state,
      reason: isLost ? 'Its credential no longer serves the account.' : detail,
      failures,
      checkInS: Math.max(minPauseS, (retryAfterMs ?? withoutCredentialMs) / 1000),
      callbackUrl: subscription.callbackUrl,
      carrierSubscriptionId: subscription.carrierSubscriptionId,
    }),
  );
}

function hexOf(bytes: Uint8Array): string {
  return bytes.reduce((hex, byte) => hex + byte.toString(16).padStart(2, '0'), '');
}
