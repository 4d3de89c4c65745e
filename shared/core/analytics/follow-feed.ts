import { actOnEach } from '#shared/async/act-on-each.ts';
import { type ShipmentMeasures, shipmentMeasuresOf } from '#shared/domain/analytics/shipment-measures.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { addStaleDays, recountCells, takeStaleDays } from '#shared/store/analytics/cells.ts';
import {
  type AnalyticsCursor,
  type AnalyticsKey,
  lockCursor,
  type MeasuresPage,
  moveCursor,
  readChangedIds,
  readNextIds,
} from '#shared/store/analytics/cursors.ts';
import { findBehind } from '#shared/store/analytics/find-behind.ts';
import { findFirstReceived, readFirstEvents, writeMeasures } from '#shared/store/analytics/measures.ts';
import { readShipments } from '#shared/store/tracking/journeys.ts';
import { type Tx, withAccount, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Changes of a page. Few shipments are behind many changes, so a page is read again as fewer records. */
const changesPerPage = 500;
const scannedPerPage = 100;
const staleDaysPerPage = 5000;
const accountsPerRun = 20;
/**
 * Counting a day reads every shipment of that day. During an import, each page changes the same day: counted at most
 * every ten seconds, a million shipments cost seconds of PostgreSQL, not an hour.
 */
const countEveryMs = 10_000;

/**
 * Brings the kept measures of accounts that are behind up to date, one page each, and counts the days that have waited
 * for `countAfterMs` since they changed. Returns whether there is more to do. A page is one transaction that ends with
 * moving the cursor, so that a process that dies loses nothing and counts nothing twice. Any number of processes may
 * call it at the same time.
 */
export async function followAnalytics(
  ctx: CoreContext,
  { countAfterMs = countEveryMs, signal }: { countAfterMs?: number; signal?: AbortSignal } = {},
): Promise<boolean> {
  const behind = await withSystem(ctx.store, (tx) => findBehind(tx, { countAfterMs, limit: accountsPerRun }));
  let hasMore = behind.length >= accountsPerRun;
  await actOnEach({
    items: behind,
    act: async (key) => {
      if (await followPage(ctx, key, countAfterMs)) hasMore = true;
    },
    signal,
  });
  return hasMore && signal?.aborted !== true;
}

/** Returns whether the account has more; false also if another worker has its cursor. */
function followPage(ctx: CoreContext, key: AnalyticsKey, countAfterMs: number): Promise<boolean> {
  return withAccount(ctx.store, key.accountId, async (tx) => {
    const cursor = await lockCursor(tx, key);
    if (cursor === null) return false;
    const page = await readPage(tx, key, cursor);
    await addStaleDays(tx, key, await writeMeasures(tx, key, await takeMeasures(tx, key, page.shipmentIds)));
    const stale = await takeStaleDays(tx, key, { countAfterMs, limit: staleDaysPerPage });
    await recountCells(tx, key, stale);
    await moveCursor(tx, key, page.next);
    return page.isFull || stale.length >= staleDaysPerPage;
  });
}

function readPage(tx: Tx, key: AnalyticsKey, cursor: AnalyticsCursor): Promise<MeasuresPage> {
  return cursor.scannedTo === null
    ? readChangedIds(tx, key, { sequence: cursor.sequence, limit: changesPerPage })
    : readNextIds(tx, key, { cursor, limit: scannedPerPage });
}

async function takeMeasures(
  tx: Tx,
  { accountId, test }: AnalyticsKey,
  ids: readonly string[],
): Promise<{ shipmentId: string; measures: ShipmentMeasures }[]> {
  const read = await readShipments(tx, accountId, { ids, withEvents: false });
  const shipments = [...read.values()].filter((shipment) => shipment.test === test);
  const kept = await readFirstEvents(tx, accountId, ids);
  const begun = shipments.filter(({ id, journey }) => journey.latestEvent !== null && !kept.has(id));
  const received = await findFirstReceived(
    tx,
    accountId,
    begun.map(({ id }) => id),
  );
  return shipments.map((shipment) => ({
    shipmentId: shipment.id,
    measures: shipmentMeasuresOf(shipment, received.get(shipment.id) ?? keptFirst(shipment, kept)),
  }));
}

/** The first event stays the first: only a shipment that has none yet is read for it. */
function keptFirst({ id, createdAt }: Shipment, kept: ReadonlyMap<string, number>): string | null {
  const minutes = kept.get(id);
  return minutes === undefined ? null : new Date(Date.parse(createdAt) + minutes * 60_000).toISOString();
}
