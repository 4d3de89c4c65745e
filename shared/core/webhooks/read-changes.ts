import type { Change, ShipmentChange } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { readFeed } from '#shared/store/feed/feed.ts';
import type { UnreadableChange } from '#shared/store/feed/feed-rows.ts';
import {
  type DueDelivery,
  holdBackDue,
  readDueDeliveries,
  readHeldShipments,
} from '#shared/store/webhooks/due-deliveries.ts';
import { withAccount, withSystemByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { readRecordOfChange } from './record-of-change.ts';

export type { DueDelivery, UnreadableChange };

/** A mode of an account, which has a feed of its own. */
export type FeedOwner = { accountId: string; test: boolean };
type EndpointKey = { accountId: string; endpointId: string };

/**
 * The next changes of a feed. All changes up to `upTo` are among them, or among those that can't be decoded. `isLast`:
 * there were no more.
 */
export async function readChangesAfter(
  ctx: CoreContext,
  { accountId, test }: FeedOwner,
  { after, limit }: { after: number; limit: number },
): Promise<{ changes: Change[]; unreadable: UnreadableChange[]; upTo: number; isLast: boolean }> {
  const query = { test, after, types: null, shipmentId: null, eventKeys: null, limit };
  const page = await withAccount(ctx.store, accountId, (tx) => readFeed(tx, accountId, query));
  return {
    changes: page.changes,
    unreadable: page.unreadable,
    upTo: Math.max(after, page.end),
    isLast: !page.hasMore,
  };
}

/** The changes at these sequences, as far as the feed still has them. */
export async function readChangesAt(
  ctx: CoreContext,
  { accountId, test }: FeedOwner,
  sequences: readonly number[],
): Promise<Change[]> {
  const limit = sequences.length;
  const query = { test, after: 0, types: null, shipmentId: null, eventKeys: null, sequences, limit };
  return (await withAccount(ctx.store, accountId, (tx) => readFeed(tx, accountId, query))).changes;
}

/** The whole record as of a change. Null: the shipment was removed. */
export function readChangedRecord(
  ctx: CoreContext,
  { accountId, test }: FeedOwner,
  change: ShipmentChange,
): Promise<Shipment | null> {
  return withAccount(ctx.store, accountId, (tx) => readRecordOfChange(ctx, tx, { accountId, change, test }));
}

/** Deliveries whose next try is due. `inOrder`: of each shipment only the first one that waits. */
export function readDueWebhooks(
  ctx: CoreContext,
  endpoint: EndpointKey,
  options: { limit: number; inOrder: boolean },
): Promise<DueDelivery[]> {
  return withSystemByKey(ctx.store, (tx) => readDueDeliveries(tx, endpoint, options));
}

/** Postpones due deliveries that an earlier one of their shipment holds back. Returns their number, at most `limit`. */
export function holdBackDueWebhooks(
  ctx: CoreContext,
  endpoint: EndpointKey,
  options: { limit: number },
): Promise<number> {
  return withSystemByKey(ctx.store, (tx) => holdBackDue(tx, endpoint, options));
}

/** Of these shipments, those with a waiting delivery, and the milliseconds until its next try. */
export function readHeldWebhooks(
  ctx: CoreContext,
  endpoint: EndpointKey,
  shipmentIds: readonly string[],
): Promise<Map<string, number>> {
  return withSystemByKey(ctx.store, (tx) => readHeldShipments(tx, endpoint, shipmentIds));
}
