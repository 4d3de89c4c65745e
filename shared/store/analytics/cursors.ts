import { measuresShape } from '#shared/domain/analytics/shipment-measures.ts';
import type { Tx } from '../with-account.ts';

/** One mode of an account. */
export type AnalyticsKey = { accountId: string; test: boolean };

/** Follow the feed from `position`, or make the measures of shipments after `scannedTo`. */
export type AnalyticsCursor = { position: number; scannedTo: string | null };

const firstId = '00000000-0000-0000-0000-000000000000';

/** Modes of accounts whose measures are behind the feed, or that have days to count again, at most `limit`. */
export async function findBehind(tx: Tx, limit: number): Promise<AnalyticsKey[]> {
  const { rows } = await tx.query<{ account_id: string; test: boolean }>({
    name: 'find-analytics-behind',
    text: `
      with behind as (
        select f.account_id, m.test
        from landfall.account_feeds as f
        cross join (values (false), (true)) as m (test)
        left join landfall.analytics_cursors as c on c.account_id = f.account_id and c.test = m.test
        where c.account_id is null or c.position < f.given or c.scanned_to is not null or c.shape <> $2
        union
        select account_id, test from landfall.stale_cells
      )
      select b.account_id, b.test
      from behind as b
      join landfall.accounts as a on a.id = b.account_id and a.removed_at is null
      -- One whose measures can't be written must not take every run.
      order by random()
      limit $1`,
    values: [limit, measuresShape],
  });
  return rows.map((row) => ({ accountId: row.account_id, test: row.test }));
}

/**
 * Locks the cursor until the transaction ends, so that one worker alone writes what is kept of a mode of an account.
 * Begins it at the end of the feed with all shipments to be read, as it does again if the feed no longer has what
 * follows, or if measures have another shape. Null: another worker has it.
 */
export async function lockCursor(tx: Tx, { accountId, test }: AnalyticsKey): Promise<AnalyticsCursor | null> {
  await tx.query({
    name: 'begin-analytics',
    text: `
      insert into landfall.analytics_cursors (account_id, test, position, scanned_to, shape)
      select $1, $2, coalesce((select given from landfall.account_feeds where account_id = $1), 0), $3, $4
      on conflict (account_id, test) do nothing`,
    values: [accountId, test, firstId, measuresShape],
  });
  const { rows } = await tx.query<{ position: number; scanned_to: string | null; starts: boolean; given: number }>({
    name: 'lock-analytics-cursor',
    text: `
      select c.position, c.scanned_to, coalesce(f.given, 0) as given,
        c.shape <> $3 or (c.scanned_to is null and c.position < coalesce(f.removed, 0)) as starts
      from landfall.analytics_cursors as c
      left join landfall.account_feeds as f on f.account_id = c.account_id
      where c.account_id = $1 and c.test = $2
      for no key update of c skip locked`,
    values: [accountId, test, measuresShape],
  });
  const [row] = rows;
  if (row === undefined) return null;
  return row.starts
    ? { position: Number(row.given), scannedTo: firstId }
    : { position: Number(row.position), scannedTo: row.scanned_to };
}

export async function moveCursor(tx: Tx, { accountId, test }: AnalyticsKey, to: AnalyticsCursor): Promise<void> {
  await tx.query({
    name: 'move-analytics-cursor',
    text: `
      update landfall.analytics_cursors
      set position = $3, scanned_to = $4, shape = $5, followed_at = now()
      where account_id = $1 and test = $2`,
    values: [accountId, test, to.position, to.scannedTo, measuresShape],
  });
}

/** A page of what is to be read: the distinct shipments, and the cursor after them. `isFull`: there may be more. */
export type MeasuresPage = { shipmentIds: string[]; next: AnalyticsCursor; isFull: boolean };

/** The shipments of the next changes of the feed. */
export async function readChangedIds(
  tx: Tx,
  { accountId, test }: AnalyticsKey,
  { position, limit }: { position: number; limit: number },
): Promise<MeasuresPage> {
  const { rows } = await tx.query<{ ids: string[] | null; found: number; last: number | null; given: number }>({
    name: 'read-changed-shipments',
    text: `
      select array_agg(distinct c.shipment_id) filter (where c.shipment_id is not null) as ids,
        count(c.position)::integer as found, max(c.position) as last,
        coalesce((select given from landfall.account_feeds where account_id = $1), 0) as given
      from (
        select position, shipment_id from landfall.changes
        where account_id = $1 and test = $2 and position > $3
        order by position
        limit $4
      ) as c`,
    values: [accountId, test, position, limit],
  });
  const { ids = null, found = 0, last = null, given = 0 } = rows[0] ?? {};
  const isFull = found >= limit;
  // Positions up to `given` that this mode has not are changes of the other one.
  const to = Math.max(position, Number(isFull ? last : given));
  return { shipmentIds: ids ?? [], next: { position: to, scannedTo: null }, isFull };
}

/** The next shipments in the order of their ids. */
export async function readNextIds(
  tx: Tx,
  { accountId, test }: AnalyticsKey,
  { cursor, limit }: { cursor: AnalyticsCursor; limit: number },
): Promise<MeasuresPage> {
  const { rows } = await tx.query<{ id: string; test: boolean }>({
    name: 'read-shipments-to-scan',
    text: `
      select id, test from landfall.shipments where account_id = $1 and id > $2 order by id limit $3`,
    values: [accountId, cursor.scannedTo, limit],
  });
  const isFull = rows.length >= limit;
  const scannedTo = isFull ? (rows.at(-1)?.id ?? null) : null;
  const shipmentIds = rows.filter((row) => row.test === test).map(({ id }) => id);
  // The feed is read after the last page.
  return { shipmentIds, next: { position: cursor.position, scannedTo }, isFull: true };
}

/** How far the measures are. `asOf`: null before the first run. */
export async function readKeptState(
  tx: Tx,
  { accountId, test }: AnalyticsKey,
): Promise<{ asOf: string | null; isComplete: boolean; measuredAt: string | null }> {
  const { rows } = await tx.query<{ as_of: Date; complete: boolean; measured_at: Date | null }>({
    name: 'read-analytics-state',
    text: `
      select c.scanned_to is null and c.shape = $3 as complete, c.measured_at,
        case
          when c.scanned_to is null and c.position >= coalesce(f.given, 0)
            and not exists (select from landfall.stale_cells as s where s.account_id = $1 and s.test = $2) then now()
          else c.followed_at
        end as as_of
      from landfall.analytics_cursors as c
      left join landfall.account_feeds as f on f.account_id = c.account_id
      where c.account_id = $1 and c.test = $2`,
    values: [accountId, test, measuresShape],
  });
  const [row] = rows;
  if (row === undefined) return { asOf: null, isComplete: false, measuredAt: null };
  return {
    asOf: row.as_of.toISOString(),
    isComplete: row.complete,
    measuredAt: row.measured_at?.toISOString() ?? null,
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
