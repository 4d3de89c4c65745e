import type { DeliveryReader, PushedItem } from '#shared/domain/carrier-subscriptions/carrier-subscription.ts';
import { type DeliveryCandidate, isAbout, soughtValues } from '#shared/domain/carrier-subscriptions/match-delivery.ts';
import { isUnavailable } from '#shared/domain/errors.ts';
import { findDeliveryCandidates } from '#shared/store/carrier-subscriptions/delivery-candidates.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type SettledDelivery,
  settleDelivery,
} from '#shared/store/system/claim-deliveries.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { currentTraceId, inSpan } from '#shared/telemetry/events.ts';
import type { CoreContext } from '../core-context.ts';
import { recordPush } from './record-push.ts';

/** The reader of a connector's deliveries; null if this release has none. `simulated`: they come from the simulator. */
export type ReaderOf = (connector: string, options: { simulated: boolean }) => DeliveryReader | null;

export type ProcessOptions = { readerOf: ReaderOf; signal: AbortSignal };

const maxDeliveries = 4;
/** With pauses that double, this is most of a day. */
const maxAttempts = 12;

/**
 * Reads waiting deliveries, one of each account at a time, and records them for each shipment; returns how many there
 * were. A delivery is retried until all of it is recorded, and a shipment that can't be recorded doesn't delay others.
 */
export async function processDeliveries(ctx: CoreContext, options: ProcessOptions): Promise<number> {
  const claimed = await withSystem(ctx.store, (tx) => claimDeliveries(tx, maxDeliveries));
  await Promise.all(
    claimed.map(async (delivery) => {
      try {
        const attributes = { 'push.connector': delivery.connector };
        await inSpan('process-delivery', { root: true, links: [], attributes }, () =>
          processOne(ctx, delivery, options),
        );
      } catch (error) {
        const { id: deliveryId, accountId, attempts } = delivery;
        ctx.log.error({ err: error, deliveryId, accountId, attempts }, 'recording a delivery failed; retrying');
        if (attempts >= maxAttempts && !isUnavailable(error)) await giveUp(ctx, delivery);
      }
    }),
  );
  return claimed.length;
}

async function processOne(ctx: CoreContext, delivery: ClaimedDelivery, options: ProcessOptions): Promise<void> {
  const { accountId, id, connector } = delivery;
  const settle = (settled: Omit<SettledDelivery, 'accountId' | 'id'>) =>
    withSystem(ctx.store, (tx) => settleDelivery(tx, { accountId, id, ...settled }));
  const reader = options.readerOf(connector, { simulated: delivery.credentialId.startsWith('simulator:') });
  if (reader === null)
    return settle({
      state: 'failed',
      events: 0,
      shipments: 0,
      reason: 'This release has no reader for the connector.',
    });
  const items = reader.readBody(new TextDecoder().decode(delivery.body));
  if (items === null)
    return settle({ state: 'failed', events: 0, shipments: 0, reason: 'The body is not a list of events.' });

  const errors: unknown[] = [];
  let recorded = 0;
  for (const { candidate, raws } of await findShipments(ctx, delivery, items)) {
    if (options.signal.aborted) return;
    try {
      const outcome = await recordPush(
        ctx,
        { accountId, shipmentId: candidate.shipmentId, connector, raws },
        reader,
        currentTraceId(),
      );
      if (outcome !== 'ignored') recorded += 1;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  await settle({ state: 'processed', events: items.length, shipments: recorded, reason: null });
}

/** The account's shipments that the events are about, each with its events. Other events are ignored. */
async function findShipments(
  ctx: CoreContext,
  { accountId, connector, carrier }: ClaimedDelivery,
  items: readonly PushedItem[],
): Promise<{ candidate: DeliveryCandidate; raws: unknown[] }[]> {
  const values = soughtValues(items.map(({ named }) => named));
  const candidates = await withAccount(ctx.store, accountId, (tx) =>
    findDeliveryCandidates(tx, accountId, { connector, carrier, values }),
  );
  return candidates
    .map((candidate) => ({
      candidate,
      raws: items.filter(({ named }) => isAbout(named, candidate)).map(({ raw }) => raw),
    }))
    .filter(({ raws }) => raws.length > 0);
}

async function giveUp(ctx: CoreContext, { accountId, id }: ClaimedDelivery): Promise<void> {
  const reason = `Recording failed ${maxAttempts} times.`;
  await withSystem(ctx.store, (tx) =>
    settleDelivery(tx, { accountId, id, state: 'failed', events: 0, shipments: 0, reason }),
  );
}
