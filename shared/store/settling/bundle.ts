import type { IdentifierKey, Status } from '#shared/domain/record/shipment.ts';
import type { History } from '../packing/packed-history.ts';
import { readRows, withRowKeys } from '../read-rows.ts';
import type { KeptRefresh } from '../tracking/refreshes.ts';
import type { Tx } from '../with-account.ts';
import { readHistory } from './history-rows.ts';
import { readSettled, settledRefreshes } from './settled-shipments.ts';

/** A published transition. Times are ISO UTC; `eventId` is a uuid. */
export type BundledStatusChange = {
  changedAt: string;
  from: Status | null;
  to: Status;
  reason: string;
  eventId: string | null;
  eventCode: string | null;
  reachedAt: string | null;
  receivedAt: string | null;
  traceId: string | null;
};

export type BundledHistory = Pick<History, 'events'> & {
  /** Oldest first. */
  statusChanges: BundledStatusChange[];
  /** Newest first. */
  refreshes: KeptRefresh[];
};

/**
 * The history of a shipment, settled or not, as of one moment: it can't settle or be unpacked before this transaction
 * ends. Null when the account has no such shipment in this mode.
 */
export async function readBundledHistory(
  tx: Tx,
  accountId: string,
  subject: { id: string; test: boolean },
): Promise<BundledHistory | null> {
  const rows = await readRows<{ settled: boolean }>(tx, {
    name: 'share-shipment',
    text: `
      select settled_at is not null as settled from landfall.shipments
      where account_id = $1 and id = $2 and test = $3
      for share`,
    values: [accountId, subject.id, subject.test],
  });
  if (rows[0] === undefined) return null;
  const stored = await readHistory(tx, accountId, subject.id);
  const settled = rows[0].settled ? await readSettled(tx, accountId, subject.id) : null;
  // A settled shipment may have rows, too: transitions that composing its record again published.
  const histories = settled === null ? [stored] : [settled, stored];
  return {
    events: histories.flatMap(({ events }) => events),
    statusChanges: histories.flatMap(({ statusChanges }) =>
      statusChanges.map((row) => toStatusChange(withRowKeys<StatusRow>(row))),
    ),
    refreshes: histories.toReversed().flatMap(settledRefreshes),
  };
}

type StatusRow = {
  changedAt: string;
  fromStatus: Status | null;
  toStatus: Status;
  reason: string;
  eventId: string | null;
  eventCode: string | null;
  reachedAt: string | null;
  receivedAt: string | null;
  traceId: string | null;
};

function toStatusChange(row: StatusRow): BundledStatusChange {
  return {
    changedAt: new Date(row.changedAt).toISOString(),
    from: row.fromStatus,
    to: row.toStatus,
    reason: row.reason,
    eventId: row.eventId,
    eventCode: row.eventCode,
    reachedAt: row.reachedAt === null ? null : new Date(row.reachedAt).toISOString(),
    receivedAt: row.receivedAt === null ? null : new Date(row.receivedAt).toISOString(),
    traceId: row.traceId,
  };
}

/** A number by which the shipment is found. `open`: another registration with it finds this shipment. */
export type BundledIdentifier = {
  key: IdentifierKey;
  value: string;
  source: 'client' | 'carrier';
  open: boolean;
  createdAt: string;
};

/** Numbers of a shipment from the client, and containers that the carrier named. */
export async function readIdentifiersOf(tx: Tx, accountId: string, shipmentId: string): Promise<BundledIdentifier[]> {
  return readRows<BundledIdentifier>(tx, {
    name: 'read-identifiers-of',
    text: `
      select key, value, source, open, created_at from landfall.shipment_identifiers
      where account_id = $1 and shipment_id = $2
      order by key, source, match_value`,
    values: [accountId, shipmentId],
  });
}

export type BundledUnreadable = { id: string; reason: string; seenAt: string; raw: unknown };

/**
 * Events of a shipment that could not be read, newest first, before the one with the id `before`, with their whole data.
 */
export async function readUnreadableOf(
  tx: Tx,
  accountId: string,
  page: { shipmentId: string; before: string | null; limit: number },
): Promise<BundledUnreadable[]> {
  return readRows<BundledUnreadable>(tx, {
    name: 'read-unreadable-of',
    text: `
      select id, reason, seen_at, raw from landfall.unreadable_events
      where account_id = $1 and shipment_id = $2 and ($3::uuid is null or id < $3)
      order by id desc
      limit $4`,
    values: [accountId, page.shipmentId, page.before, page.limit],
  });
}
