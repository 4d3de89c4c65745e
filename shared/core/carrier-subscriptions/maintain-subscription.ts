import type {
  CarrierReply,
  CarrierSubscription,
  SubscriptionCarrier,
} from '#shared/domain/carrier-subscriptions/carrier-subscription.ts';
import { cutText } from '#shared/domain/cut-text.ts';
import type { PushSubscription } from '#shared/store/carrier-subscriptions/carrier-subscription-row.ts';
import { confirmSecret, settleSubscription, stageSecret } from '#shared/store/system/carrier-subscriptions.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { openSecret } from '../secrets/seal-secret.ts';
import { newSubscriptionSecret, subscriptionSecretOwner } from './subscription-secret.ts';

/** A claimed subscription and its wanted state. */
export type Upkeep = {
  subscription: PushSubscription;
  carrier: SubscriptionCarrier;
  isNeeded: boolean;
  callbackUrl: string;
  secretDays: number;
};

const dayS = 86_400;
const checkEveryS = 6 * 3600;
/** A previous secret is accepted for this long: a carrier may retry a delivery that it signed with it. */
const overlapS = dayS;
const firstPauseS = 15;
const maxPauseS = 6 * 3600;
/** A permanent refusal is retried once a day: the carrier may have enabled push since then. */
const refusedPauseS = dayS;

/** The known state of the subscription at the carrier. */
type Standing = Pick<PushSubscription, 'callbackUrl' | 'carrierSubscriptionId'>;
type Refusal = Extract<CarrierReply<unknown>, { ok: false }>;

/** Brings one subscription at the carrier into its wanted state. Records the result and when to check it again. */
export async function maintainSubscription(ctx: CoreContext, upkeep: Upkeep): Promise<void> {
  const { subscription, isNeeded } = upkeep;
  const standing: Standing = {
    callbackUrl: subscription.callbackUrl,
    carrierSubscriptionId: subscription.carrierSubscriptionId,
  };
  const refusal = isNeeded ? await establish(ctx, upkeep, standing) : await end(upkeep, standing);
  const failures = refusal === null ? 0 : subscription.failures + 1;
  const state = refusal !== null ? stateAfter(subscription, refusal) : isNeeded ? 'active' : 'ended';
  if (refusal !== null) {
    const { id: subscriptionId, accountId, connector } = subscription;
    ctx.log.warn(
      { subscriptionId, accountId, connector, reason: refusal.reason, detail: refusal.detail },
      'the carrier refused a subscription',
    );
  }
  const checkInS = refusal === null ? nextUpkeepS(upkeep) : pauseS(refusal, failures);
  await withSystem(ctx.store, (tx) =>
    settleSubscription(tx, subscription, {
      ...standing,
      state,
      reason: refusal === null ? null : cutText(refusal.detail, 500),
      failures,
      checkInS,
    }),
  );
}

/** Null: the carrier has the subscription as wanted. */
async function establish(ctx: CoreContext, upkeep: Upkeep, standing: Standing): Promise<Refusal | null> {
  const { subscription, carrier, callbackUrl } = upkeep;
  const found = await findAtCarrier(upkeep, standing);
  if (found !== null && !found.ok && !found.gone) return found;
  if (found === null || !found.ok) {
    const wasThere = standing.carrierSubscriptionId !== null;
    standing.carrierSubscriptionId = null;
    return create(ctx, upkeep, { standing, wasThere });
  }
  standing.carrierSubscriptionId = found.value.id;
  standing.callbackUrl = found.value.callbackUrl;
  if (found.value.callbackUrl !== callbackUrl) {
    const moved = await carrier.move(found.value.id, { callbackUrl });
    if (!moved.ok) return moved;
    standing.callbackUrl = callbackUrl;
  }
  const isPending = subscription.previous?.confirmed === false;
  const isOld = subscription.secretAgeS >= upkeep.secretDays * dayS && subscription.previous === null;
  if (!isPending && !isOld) return null;
  const secret = isPending ? await currentSecret(ctx, subscription) : await stage(ctx, subscription);
  if (secret === null) return null;
  const rotated = await carrier.rotate(found.value.id, { secret });
  if (!rotated.ok) return rotated;
  await confirm(ctx, upkeep);
  return null;
}

/** By its id, or by its callback if its creation was never confirmed. Null: it was never requested. */
async function findAtCarrier(
  { subscription, carrier }: Upkeep,
  { carrierSubscriptionId, callbackUrl }: Standing,
): Promise<CarrierReply<CarrierSubscription> | null> {
  if (carrierSubscriptionId !== null) return carrier.find(carrierSubscriptionId);
  // Its first claim: it has never been requested.
  if (subscription.epoch <= 1) return null;
  const listed = await carrier.list();
  if (!listed.ok) return listed;
  const own = listed.value.find((each) => each.callbackUrl === callbackUrl);
  return own === undefined ? null : { ok: true, value: own };
}

/** A subscription that the carrier has lost gets a new secret; the previous one is accepted for a while. */
async function create(
  ctx: CoreContext,
  upkeep: Upkeep,
  now: { standing: Standing; wasThere: boolean },
): Promise<Refusal | null> {
  const { subscription, carrier, callbackUrl } = upkeep;
  const isNew = now.wasThere && subscription.previous?.confirmed !== false;
  const secret = isNew ? await stage(ctx, subscription) : await currentSecret(ctx, subscription);
  if (secret === null) return null;
  now.standing.callbackUrl = callbackUrl;
  const created = await carrier.create({ callbackUrl, secret });
  if (!created.ok) return created;
  now.standing.carrierSubscriptionId = created.value.id;
  await confirm(ctx, upkeep);
  return null;
}

async function end({ subscription, carrier }: Upkeep, standing: Standing): Promise<Refusal | null> {
  let id = standing.carrierSubscriptionId;
  if (id === null && subscription.epoch > 1) {
    const listed = await carrier.list();
    if (!listed.ok) return listed;
    id = listed.value.find((each) => each.callbackUrl === standing.callbackUrl)?.id ?? null;
  }
  if (id === null) return null;
  const removed = await carrier.remove(id);
  return removed.ok || removed.gone ? null : removed;
}

function currentSecret(ctx: CoreContext, subscription: PushSubscription): Promise<string> {
  return openSecret(ctx, subscriptionSecretOwner(subscription), subscription.secret);
}

/** Null: another worker has claimed the subscription. */
async function stage(ctx: CoreContext, subscription: PushSubscription): Promise<string | null> {
  const { secret, stored } = await newSubscriptionSecret(ctx, subscription);
  return (await withSystem(ctx.store, (tx) => stageSecret(tx, subscription, stored))) ? secret : null;
}

async function confirm(ctx: CoreContext, { subscription, secretDays }: Upkeep): Promise<void> {
  await withSystem(ctx.store, (tx) => confirmSecret(tx, subscription, overlapOf(secretDays)));
}

/** At most half the life of a secret, so that the overlap ends before the next rotation. */
function overlapOf(secretDays: number): number {
  return Math.min(overlapS, (secretDays * dayS) / 2);
}

function stateAfter(subscription: PushSubscription, refusal: Refusal): PushSubscription['state'] {
  if (refusal.permanent) return 'failed';
  // A failed check doesn't affect the deliveries of an existing subscription.
  return subscription.state === 'ended' ? 'failed' : subscription.state;
}

function nextUpkeepS({ subscription, secretDays }: Upkeep): number {
  const leftS = secretDays * dayS - subscription.secretAgeS;
  return Math.min(checkEveryS, Math.max(1, leftS > 0 ? leftS : overlapOf(secretDays)));
}

function pauseS(refusal: Refusal, failures: number): number {
  if (refusal.permanent) return refusedPauseS;
  const backoffS = Math.min(maxPauseS, firstPauseS * 2 ** Math.min(failures - 1, 12)) * (0.5 + Math.random() / 2);
  return Math.max(backoffS, (refusal.retryAfterMs ?? 0) / 1000);
}
