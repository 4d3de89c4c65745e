import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { type History, unpackHistory } from '../packing/packed-history.ts';
import { readRows, withRowKeys } from '../read-rows.ts';
import { readEvents, readEventsOf } from '../tracking/events.ts';
import { capped, type RawEvent, readRawEvents } from '../tracking/raw-events.ts';
import { type KeptRefresh, readRefreshes, toKeptRefresh } from '../tracking/refreshes.ts';
import type { Tx } from '../with-account.ts';

/** The packed history of a shipment. Null: it is not settled. */
export async function readSettled(tx: Tx, accountId: string, shipmentId: string): Promise<History | null> {
  const rows = await readRows<{ packed: Buffer }>(tx, {
    name: 'read-settled',
    text: 'select packed from landfall.settled_shipments where account_id = $1 and shipment_id = $2',
    values: [accountId, shipmentId],
  });
  return rows[0] === undefined ? null : unpackHistory(rows[0].packed);
}

/** Every event of locked shipments, settled or not, oldest first by event time. One without events is absent. */
export async function readLockedEvents(
  tx: Tx,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<Map<string, TrackingEvent[]>> {
  const found = await readEventsOf(tx, accountId, shipmentIds);
  for (const id of shipmentIds.filter((one) => !found.has(one))) {
    const settled = await readSettled(tx, accountId, id);
    if (settled !== null)
      found.set(
        id,
        settled.events.map(({ event }) => event),
      );
  }
  return found;
}

/**
 * Every event of a shipment that is not locked, settled or not, oldest first by event time. A shipment may settle or
 * be unpacked between the statements: it is read as rows once more, and a shipment that was just unpacked doesn't
 * settle again for days.
 */
export function readAllEvents(tx: Tx, accountId: string, shipmentId: string): Promise<TrackingEvent[]> {
  return readWherever(
    () => readEvents(tx, accountId, shipmentId),
    async () => (await readSettled(tx, accountId, shipmentId))?.events.map(({ event }) => event) ?? [],
    (events) => events.length > 0,
  );
}

/** The raw bodies of some events of a shipment that is not locked, settled or not, by event id. */
export function readAllRawEvents(
  tx: Tx,
  accountId: string,
  { shipmentId, ids }: { shipmentId: string; ids: readonly string[] },
): Promise<Map<string, RawEvent>> {
  return readWherever(
    () => readRawEvents(tx, accountId, { shipmentId, ids }),
    async () => {
      const settled = (await readSettled(tx, accountId, shipmentId))?.events ?? [];
      const wanted = settled.filter(({ event }) => ids.includes(event.id));
      return new Map(wanted.map(({ event, raw }) => [event.id, capped({ value: raw })]));
    },
    (found) => found.size > 0,
  );
}

/** The stored refreshes of a shipment that is not locked, settled or not, newest first. */
export function readAllRefreshes(tx: Tx, accountId: string, shipmentId: string): Promise<KeptRefresh[]> {
  return readWherever(
    () => readRefreshes(tx, accountId, shipmentId),
    async () => settledRefreshes(await readSettled(tx, accountId, shipmentId)),
    (refreshes) => refreshes.length > 0,
  );
}

/** The refreshes of a packed history, newest first. */
export function settledRefreshes(history: Pick<History, 'refreshes'> | null): KeptRefresh[] {
  return (history?.refreshes ?? []).toReversed().map((json) => {
    const row = withRowKeys<KeptRefresh>(json);
    return toKeptRefresh({ ...row, firstAt: isoOf(row.firstAt), lastAt: isoOf(row.lastAt) });
  });
}

function isoOf(time: string): string {
  return new Date(time).toISOString();
}

async function readWherever<Found>(
  fromRows: () => Promise<Found>,
  fromPacked: () => Promise<Found>,
  isAny: (found: Found) => boolean,
): Promise<Found> {
  for (const read of [fromRows, fromPacked]) {
    const found = await read();
    if (isAny(found)) return found;
  }
  return fromRows();
}
