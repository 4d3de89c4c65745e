import { LandfallError } from '#shared/domain/errors.ts';
import { isAbout, type PushCandidate, soughtValues } from '#shared/domain/push/match-push.ts';
import type { DeliveryReader, PushedItem } from '#shared/domain/push/push.ts';
import { findPushCandidates } from '#shared/store/push/push-candidates.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type SettledDelivery,
  settleDelivery,
} from '#shared/store/system/claim-deliveries.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { recordPush } from './record-push.ts';

/** What reads a connector's deliveries; null when this release cannot. `simulated`: they come from the simulator. */
export type ReaderOf = (connector: string, options: { simulated: boolean }) => DeliveryReader | null;

export type ProcessOptions = {
  readerOf: ReaderOf;
  /** Runs the work on one delivery, in a span of its own; gives the trace id. */
  inTrace: <T>(delivery: ClaimedDelivery, work: (traceId: string | null) => Promise<T>) => Promise<T>;
  signal: AbortSignal;
};

const deliveriesAtOnce = 4;
/** With pauses that double, this is most of a day. */
const mostAttempts = 12;

/**
 * Reads waiting deliveries, one of each account at a time, and records what they say of each shipment; gives how many there were. Whatever
 * dies on the way, a delivery comes again until all of it is recorded; a shipment that cannot be recorded does not hold up the others.
 */
export async function processDeliveries(ctx: CoreContext, options: ProcessOptions): Promise<number> {
  const claimed = await withSystem(ctx.store, (tx) => claimDeliveries(tx, deliveriesAtOnce));
  await Promise.all(
    claimed.map(async (delivery) => {
      try {
        await options.inTrace(delivery, (traceId) => processOne(ctx, { delivery, options, traceId }));
      } catch (error) {
        const { id: deliveryId, accountId, attempts } = delivery;
        ctx.log.error(
          { err: error, deliveryId, accountId, attempts },
          'a delivery could not be recorded and will be tried again',
        );
        if (attempts >= mostAttempts && !isAway(error)) await giveUp(ctx, delivery);
      }
    }),
  );
  return claimed.length;
}

type Work = { delivery: ClaimedDelivery; options: ProcessOptions; traceId: string | null };

async function processOne(ctx: CoreContext, { delivery, options, traceId }: Work): Promise<void> {
  const { accountId, id, connector } = delivery;
  const settle = (settled: Omit<SettledDelivery, 'accountId' | 'id'>) =>
    withSystem(ctx.store, (tx) => settleDelivery(tx, { accountId, id, ...settled }));
  const reader = options.readerOf(connector, { simulated: delivery.credentialId.startsWith('simulator:') });
  if (reader === null)
    return settle({ state: 'failed', events: 0, shipments: 0, reason: 'this release cannot read the connector' });
  const items = reader.readBody(new TextDecoder().decode(delivery.body));
  if (items === null)
    return settle({ state: 'failed', events: 0, shipments: 0, reason: 'the body is not a list of events' });

  const errors: unknown[] = [];
  let recorded = 0;
  for (const { candidate, raws } of await findShipments(ctx, delivery, items)) {
    if (options.signal.aborted) return;
    try {
      const outcome = await recordPush(
        ctx,
        { accountId, shipmentId: candidate.shipmentId, connector, raws },
        reader,
        traceId,
      );
      if (outcome !== 'ignored') recorded += 1;
    } catch (error) {
      if (isAway(error)) throw error;
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  await settle({ state: 'processed', events: items.length, shipments: recorded, reason: null });
}

/** The account's shipments that the events are about, each with its own. Events about none are left alone. */
async function findShipments(
  ctx: CoreContext,
  { accountId, connector, carrier }: ClaimedDelivery,
  items: readonly PushedItem[],
): Promise<{ candidate: PushCandidate; raws: unknown[] }[]> {
  const values = soughtValues(items.map(({ named }) => named));
  const candidates = await withAccount(ctx.store, accountId, (tx) =>
    findPushCandidates(tx, accountId, { connector, carrier, values }),
  );
  return candidates
    .map((candidate) => ({
      candidate,
      raws: items.filter(({ named }) => isAbout(named, candidate)).map(({ raw }) => raw),
    }))
    .filter(({ raws }) => raws.length > 0);
}

async function giveUp(ctx: CoreContext, { accountId, id }: ClaimedDelivery): Promise<void> {
  const reason = 'it could not be recorded, however often it was tried';
  await withSystem(ctx.store, (tx) =>
    settleDelivery(tx, { accountId, id, state: 'failed', events: 0, shipments: 0, reason }),
  );
}

function isAway(error: unknown): boolean {
  return error instanceof LandfallError && error.code === 'unavailable';
}
