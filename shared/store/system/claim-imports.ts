import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

export type PendingChunk = { accountId: string; importId: string; number: number };

/**
 * The next chunk of each account that has one, so that an account with a million rows doesn't delay the others: the
 * first unfinished chunk of its oldest import. Nothing is claimed: the registering transaction that locks the chunk
 * processes it.
 */
export async function findPendingChunks(tx: Tx, limit: number): Promise<PendingChunk[]> {
  return readRows<{ accountId: string; importId: string; number: number }>(tx, {
    name: 'find-pending-chunks',
    text: `
      with recursive accounts_with_work as (
        (select account_id from landfall.import_chunks where done_at is null order by account_id limit 1)
        union all
        select (
          select c.account_id from landfall.import_chunks as c
          where c.done_at is null and c.account_id > a.account_id
          order by c.account_id
          limit 1
        )
        from accounts_with_work as a
        where a.account_id is not null
      )
      select a.account_id, next.import_id, next.number
      from accounts_with_work as a
      cross join lateral (
        select c.import_id, c.number
        from landfall.import_chunks as c
        where c.account_id = a.account_id and c.done_at is null and (c.retry_at is null or c.retry_at <= now())
        order by c.import_id, c.number
        limit 1
      ) as next
      where a.account_id is not null
      order by random()
      limit $1`,
    values: [limit],
  });
}

/**
 * Ends interrupted uploads that were not resumed in time and whose stored rows are all registered. Returns their
 * number.
 */
export async function closeInterruptedImports(tx: Tx): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'close-interrupted-imports',
    text: `
      update landfall.imports
      set state = 'interrupted', completed_at = now(), receiver = null, receiver_until = null
      where state = 'receiving' and resumable_until < now() and processed = received`,
  });
  return rowCount ?? 0;
}

/** Deletes up to `limit` finished chunks that no upload can be compared with any more. */
export async function forgetDoneChunks(tx: Tx, limit: number): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'forget-done-chunks',
    text: `
      delete from landfall.import_chunks as c
      using (
        select d.account_id, d.import_id, d.number
        from landfall.import_chunks as d
        join landfall.imports as i on i.account_id = d.account_id and i.id = d.import_id
        where d.done_at < now() - interval '25 hours' and i.state in ('completed', 'interrupted', 'failed')
          and i.created_at < now() - interval '25 hours'
        order by d.done_at
        limit $1
      ) as old
      where c.account_id = old.account_id and c.import_id = old.import_id and c.number = old.number`,
    values: [limit],
  });
  return rowCount ?? 0;
}
