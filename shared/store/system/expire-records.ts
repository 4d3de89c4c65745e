import type { Tx } from '../open-store.ts';

/** Removes answers kept for an `Idempotency-Key` for longer than `keptHours`; gives their number, at most `limit`. */
export async function deleteOldIdempotency(tx: Tx, options: { keptHours: number; limit: number }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'delete-old-idempotency',
    text: `
      with old as (
        select account_id, route, key from landfall.idempotency
        where created_at <= now() - make_interval(hours => $1)
        order by created_at
        limit $2
        for update skip locked
      )
      delete from landfall.idempotency as i
      using old
      where i.account_id = old.account_id and i.route = old.route and i.key = old.key`,
    values: [options.keptHours, options.limit],
  });
  return rowCount ?? 0;
}

/** Removes imports that ended more than `keptDays` ago, with their failed rows; gives their number, at most `limit`. */
export async function deleteOldImports(tx: Tx, options: { keptDays: number; limit: number }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'delete-old-imports',
    text: `
      with old as (
        select account_id, id from landfall.imports
        where completed_at <= now() - make_interval(days => $1)
        order by completed_at
        limit $2
        for update skip locked
      )
      delete from landfall.imports as i
      using old
      where i.account_id = old.account_id and i.id = old.id`,
    values: [options.keptDays, options.limit],
  });
  return rowCount ?? 0;
}

/**
 * Removes the front of the feed, as far as it is older than `keptDays`, and notes up to where; gives how many changes went, at most `limit`.
 * Always the front: a reader can then be told what it missed.
 */
export async function deleteOldChanges(tx: Tx, options: { keptDays: number; limit: number }): Promise<number> {
  const removed = await tx.query<{ position: number }>({
    name: 'lock-removed-position',
    text: `select position from landfall.feed_positions where name = 'removed' for update skip locked`,
  });
  if (removed.rows[0] === undefined) return 0;
  const { rows } = await tx.query<{ count: number }>({
    name: 'delete-old-changes',
    text: `
      with oldest as (
        select account_id, id, position, created_at from landfall.changes
        where position > $1
        order by position
        limit $2
      ),
      kept as (
        select min(position) as position from oldest where created_at > now() - make_interval(days => $3)
      ),
      gone as (
        delete from landfall.changes as c
        using oldest as o, kept
        where c.account_id = o.account_id and c.id = o.id and (kept.position is null or o.position < kept.position)
        returning c.position
      ),
      noted as (
        update landfall.feed_positions as f
        set position = g.last
        from (select max(position) as last from gone) as g
        where f.name = 'removed' and g.last is not null
      )
      select count(*) as count from gone`,
    values: [removed.rows[0].position, options.limit, options.keptDays],
  });
  return rows[0]?.count ?? 0;
}

/** Frees the numbers of shipments that closed `openDays` ago, for other shipments to carry them; gives how many, at most `limit`. */
export async function freeNumbersOfClosed(tx: Tx, options: { openDays: number; limit: number }): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
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
