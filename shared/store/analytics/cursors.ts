import { measuresShape } from '#shared/domain/analytics/shipment-measures.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** One mode of an account. */
export type AnalyticsKey = { accountId: string; test: boolean };

/** Follow the feed from `sequence`, or make the measures of shipments after `scannedTo`. */
export type AnalyticsCursor = { sequence: number; scannedTo: string | null };

const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Locks the cursor until the transaction ends, so that one worker alone writes what is kept of a mode of an account.
 * Begins it at the end of the feed with all shipments to be read, as it does again if the feed no longer has what
 * follows, or if measures have another shape. Null: another worker has it.
 */
export async function lockCursor(tx: Tx, { accountId, test }: AnalyticsKey): Promise<AnalyticsCursor | null> {
  await tx.query({
    name: 'begin-analytics',
    text: `
      insert into landfall.analytics_cursors (account_id, test, sequence, scanned_to, shape)
      select $1, $2, coalesce((select given from landfall.account_feeds where account_id = $1), 0), $3, $4
      on conflict (account_id, test) do nothing`,
    values: [accountId, test, firstId, measuresShape],
  });
  const [row] = await readRows<{ sequence: number; scannedTo: string | null; starts: boolean; given: number }>(tx, {
    name: 'lock-analytics-cursor',
    text: `
      select c.sequence, c.scanned_to, coalesce(f.given, 0) as given,
        c.shape <> $3 or (c.scanned_to is null and c.sequence < coalesce(f.removed, 0)) as starts
      from landfall.analytics_cursors as c
      left join landfall.account_feeds as f on f.account_id = c.account_id
      where c.account_id = $1 and c.test = $2
      for no key update of c skip locked`,
    values: [accountId, test, measuresShape],
  });
  if (row === undefined) return null;
  return row.starts
    ? { sequence: Number(row.given), scannedTo: firstId }
    : { sequence: Number(row.sequence), scannedTo: row.scannedTo };
}

export async function moveCursor(tx: Tx, { accountId, test }: AnalyticsKey, to: AnalyticsCursor): Promise<void> {
  await tx.query({
    name: 'move-analytics-cursor',
    text: `
      update landfall.analytics_cursors
      set sequence = $3, scanned_to = $4, shape = $5, followed_at = now()
      where account_id = $1 and test = $2`,
    values: [accountId, test, to.sequence, to.scannedTo, measuresShape],
  });
}

/** A page of what is to be read: the distinct shipments, and the cursor after them. `isFull`: there may be more. */
export type MeasuresPage = { shipmentIds: string[]; next: AnalyticsCursor; isFull: boolean };

/** The shipments of the next changes of the feed. */
export async function readChangedIds(
  tx: Tx,
  { accountId, test }: AnalyticsKey,
  { sequence, limit }: { sequence: number; limit: number },
): Promise<MeasuresPage> {
  const rows = await readRows<{ ids: string[] | null; found: number; last: number | null; given: number }>(tx, {
    name: 'read-changed-shipments',
    text: `
      select array_agg(distinct c.shipment_id) filter (where c.shipment_id is not null) as ids,
        count(c.sequence)::integer as found, max(c.sequence) as last,
        coalesce((select given from landfall.account_feeds where account_id = $1), 0) as given
      from (
        select sequence, shipment_id from landfall.changes
        where account_id = $1 and test = $2 and sequence > $3
        order by sequence
        limit $4
      ) as c`,
    values: [accountId, test, sequence, limit],
  });
  const { ids = null, found = 0, last = null, given = 0 } = rows[0] ?? {};
  const isFull = found >= limit;
  // Sequences up to `given` that this mode has not are changes of the other one.
  const to = Math.max(sequence, Number(isFull ? last : given));
  return { shipmentIds: ids ?? [], next: { sequence: to, scannedTo: null }, isFull };
}

/** The next shipments in the order of their ids. */
export async function readNextIds(
  tx: Tx,
  { accountId, test }: AnalyticsKey,
  { cursor, limit }: { cursor: AnalyticsCursor; limit: number },
): Promise<MeasuresPage> {
  const rows = await readRows<{ id: string; test: boolean }>(tx, {
    name: 'read-shipments-to-scan',
    text: `
      select id, test from landfall.shipments where account_id = $1 and id > $2 order by id limit $3`,
    values: [accountId, cursor.scannedTo, limit],
  });
  const isFull = rows.length >= limit;
  const scannedTo = isFull ? (rows.at(-1)?.id ?? null) : null;
  const shipmentIds = rows.filter((row) => row.test === test).map(({ id }) => id);
  // The feed is read after the last page.
  return { shipmentIds, next: { sequence: cursor.sequence, scannedTo }, isFull: true };
}

/** Reads the progress of the figures: all changes before `asOf` are counted. Null before the first run. */
export async function readKeptState(
  tx: Tx,
  { accountId, test }: AnalyticsKey,
): Promise<{ asOf: string | null; isComplete: boolean; measuredAt: string | null }> {
  const [row] = await readRows<{ asOf: string; complete: boolean; measuredAt: string | null }>(tx, {
    name: 'read-analytics-state',
    text: `
      select c.scanned_to is null and c.shape = $3 as complete, c.measured_at,
        least(
          case when c.scanned_to is null and c.sequence >= coalesce(f.given, 0) then now() else c.followed_at end,
          (select min(uuid_extract_timestamp(s.id)) from landfall.stale_cells as s where s.account_id = $1 and s.test = $2)
        ) as as_of
      from landfall.analytics_cursors as c
      left join landfall.account_feeds as f on f.account_id = c.account_id
      where c.account_id = $1 and c.test = $2`,
    values: [accountId, test, measuresShape],
  });
  if (row === undefined) return { asOf: null, isComplete: false, measuredAt: null };
  return {
    asOf: row.asOf,
    isComplete: row.complete,
    measuredAt: row.measuredAt,
  };
}

/** Has the measures of all shipments made again, whatever they are. What is kept is served until then. */
export async function rescan(tx: Tx, { accountId, test }: AnalyticsKey): Promise<void> {
  await tx.query({
    name: 'rescan-analytics',
    text: `update landfall.analytics_cursors set scanned_to = $3 where account_id = $1 and test = $2`,
    values: [accountId, test, firstId],
  });
}
