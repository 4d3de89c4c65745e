import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

/**
 * Deletes the failed rows and chunks of imports that ended more than `keptDays` ago. Returns how many, at most `limit`
 * of each: an import can have millions of failed rows, too many for one transaction. What they took of the account's
 * quota is free with them.
 */
export async function deleteOldImportRows(tx: Tx, options: { keptDays: number; limit: number }): Promise<number> {
  const rows = await readRows<{ count: number }>(tx, {
    name: 'delete-old-import-rows',
    text: `
      with old as (
        select account_id, id from landfall.imports
        where completed_at <= now() - make_interval(days => $1)
        order by completed_at
        limit 100
        for update skip locked
      ),
      errors as (
        delete from landfall.import_errors as e
        using (
          select r.account_id, r.import_id, r.row_number
          from old
          cross join lateral (
            select account_id, import_id, row_number from landfall.import_errors
            where account_id = old.account_id and import_id = old.id
            order by row_number
            limit $2
          ) as r
          limit $2
        ) as gone
        where e.account_id = gone.account_id and e.import_id = gone.import_id and e.row_number = gone.row_number
        returning e.account_id, e.import_id, octet_length(e.raw) as bytes
      ),
      chunks as (
        delete from landfall.import_chunks as c
        using (
          select r.account_id, r.import_id, r.number
          from old
          cross join lateral (
            select account_id, import_id, number from landfall.import_chunks
            where account_id = old.account_id and import_id = old.id
            order by number
            limit $2
          ) as r
          limit $2
        ) as gone
        where c.account_id = gone.account_id and c.import_id = gone.import_id and c.number = gone.number
        returning c.account_id, c.import_id, coalesce(octet_length(c.rows), 0) as bytes
      ),
      freed as (
        update landfall.imports as i
        set stored_bytes = greatest(0, i.stored_bytes - gone.bytes)
        from (
          select account_id, import_id, sum(bytes) as bytes
          from (select account_id, import_id, bytes from errors union all select account_id, import_id, bytes from chunks) as each
          group by account_id, import_id
        ) as gone
        where i.account_id = gone.account_id and i.id = gone.import_id
      )
      select (select count(*) from errors) + (select count(*) from chunks) as count`,
    values: [options.keptDays, options.limit],
  });
  return rows[0]?.count ?? 0;
}

/**
 * Deletes changes older than `keptDays` from the start of each account's feed and records the last deleted sequence.
 * Returns their number, at most `limit`. Deleting only from the start lets a reader detect what it has missed.
 */
export async function deleteOldChanges(tx: Tx, options: { keptDays: number; limit: number }): Promise<number> {
  const lock = await readRows<{ mine: boolean }>(tx, {
    name: 'lock-change-removal',
    text: `select pg_try_advisory_xact_lock(hashtextextended('landfall.delete_old_changes', 0)) as mine`,
  });
  if (lock[0]?.mine !== true) return 0;
  const rows = await readRows<{ count: number }>(tx, {
    name: 'delete-old-changes',
    text: `
      with oldest as (
        select c.account_id, c.test, c.sequence, c.created_at
        from landfall.account_feeds as f
        cross join lateral (${startOfFeeds('1')}) as first
        cross join lateral (${startOfFeeds('$1')}) as c
        where f.removed < f.given and first.created_at <= now() - make_interval(days => $2)
        limit $1
      ),
      kept as (
        select account_id, min(sequence) as sequence
        from oldest
        where created_at > now() - make_interval(days => $2)
        group by account_id
      ),
      gone as (
        delete from landfall.changes as c
        using oldest as o left join kept as k on k.account_id = o.account_id
        where c.account_id = o.account_id and c.test = o.test and c.sequence = o.sequence and (k.sequence is null or o.sequence < k.sequence)
        returning c.account_id, c.sequence
      ),
      -- In the order in which the sequencer locks these rows.
      noted as (
        insert into landfall.account_feeds as f (account_id, given, removed)
        select account_id, max(sequence), max(sequence) from gone group by account_id order by account_id
        on conflict (account_id) do update set removed = excluded.removed
      )
      select count(*) as count from gone`,
    values: [options.limit, options.keptDays],
  });
  return rows[0]?.count ?? 0;
}

/** The first rows of both feeds of the account `f`, test and live, which share their sequences. */
function startOfFeeds(limit: string): string {
  return `
          select c.account_id, c.test, c.sequence, c.created_at
          from unnest(array[false, true]) as feed (test)
          cross join lateral (
            select account_id, test, sequence, created_at from landfall.changes
            where account_id = f.account_id and test = feed.test and sequence > f.removed
            order by sequence
            limit ${limit}
          ) as c
          order by c.sequence
          limit ${limit}`;
}

/**
 * Frees the numbers of shipments that closed `openDays` ago, so that other shipments can use them. Returns how many, at
 * most `limit`.
 */
export async function freeNumbersOfClosed(tx: Tx, options: { openDays: number; limit: number }): Promise<number> {
  const rows = await readRows<{ count: number }>(tx, {
    name: 'free-numbers-of-closed',
    text: `
      with closed as (
        select account_id, id from landfall.shipments
        where open and closed_at <= now() - make_interval(days => $1)
        order by closed_at
        limit $2
        for no key update skip locked
      ),
      freed as (
        update landfall.shipment_identifiers as i
        set open = false
        from closed
        where i.account_id = closed.account_id and i.shipment_id = closed.id and i.open
      ),
      marked as (
        update landfall.shipments as s
        set open = false
        from closed
        where s.account_id = closed.account_id and s.id = closed.id
      )
      select count(*) as count from closed`,
    values: [options.openDays, options.limit],
  });
  return rows[0]?.count ?? 0;
}

/**
 * Deletes what has ended of the authorization server, at most `limit` rows of each table: expired codes and tokens, apps
 * without tokens, clients that nobody connected within `unusedHours`, and those whose last app ended `idleDays` ago.
 * Returns how many. A function of the database does it, because the system role doesn't see the room of sign-in.
 */
export async function forgetAppRows(
  tx: Tx,
  { unusedHours, idleDays, limit }: { unusedHours: number; idleDays: number; limit: number },
): Promise<number> {
  const rows = await readRows<{ deleted: number }>(tx, {
    name: 'forget-app-rows',
    text: 'select landfall.forget_app_rows($1, $2, $3) as deleted',
    values: [unusedHours, idleDays, limit],
  });
  return rows[0]?.deleted ?? 0;
}
