import { readRows } from '../read-rows.ts';
import type { ShipmentKey } from '../system/tracking/mark-by-clock.ts';
import type { Tx } from '../with-account.ts';

/**
 * Makes the next shipments due that terms replaced since then have assessed, up to `limit` of those that an account has.
 * It waits for shipments that are locked, also for those without a clock: what is composing them may start one under the
 * earlier terms. False: no terms are left to mark. Terms that another process is marking are left to it.
 */
export async function markReplacedTerms(tx: Tx, limit: number): Promise<boolean> {
  const rows = await readRows<{ accountId: string; test: boolean; markedTo: string }>(tx, {
    name: 'lock-terms-to-mark',
    text: `
      select account_id, test, marked_to
      from landfall.free_time_terms
      where marked_to is not null
      order by updated_at
      limit 1
      for no key update skip locked`,
  });
  const [terms] = rows;
  if (terms === undefined) return false;
  const { accountId, test, markedTo } = terms;
  const page = await readRows<{ id: string }>(tx, {
    name: 'find-shipments-to-mark',
    text: `
      select s.id
      from landfall.shipments as s
      where s.account_id = $1 and s.id > $3 and s.test = $2 and s.transport_mode in ('ocean', 'rail') and s.settled_at is null
      order by s.id
      limit $4`,
    values: [accountId, test, markedTo, limit],
  });
  const ids = page.map(({ id }) => id);
  await tx.query({
    name: 'lock-shipments-to-mark',
    text: `
      select from landfall.shipments as s where s.account_id = $1 and s.id = any ($2::uuid[]) order by s.id for no key update`,
    values: [accountId, ids],
  });
  await tx.query({
    name: 'mark-free-time-due',
    text: `
      update landfall.shipments as s
      set free_time_at = now()
      where s.account_id = $1 and s.id = any ($2::uuid[]) and s.free_time_states <> '{}'`,
    values: [accountId, ids],
  });
  await tx.query({
    name: 'keep-marked-to',
    text: 'update landfall.free_time_terms set marked_to = $3 where account_id = $1 and test = $2',
    values: [accountId, test, ids.at(-1) ?? null],
  });
  return true;
}

/**
 * Up to `limit` shipments whose free time is to be assessed by now, those that are due longest first. Ones without a
 * clock, and settled ones, which keep what was known when tracking ended, are no longer due afterwards. Of an earlier
 * release, which had no clocks, every shipment with containers is assessed.
 */
export async function findFreeTimeDue(tx: Tx, limit: number): Promise<{ due: ShipmentKey[]; dropped: number }> {
  const rows = await readRows<{ accountId: string; id: string; assessed: boolean }>(tx, {
    name: 'find-free-time-due',
    text: `
      with due as materialized (
        select s.account_id, s.id,
          s.transport_mode in ('ocean', 'rail') and s.settled_at is null
            and (s.free_time_states <> '{}' or (s.free_time_at = '-infinity' and s.record -> 'containers' <> '[]'::jsonb)) as assessed
        from landfall.shipments as s
        where s.free_time_at <= now() and s.archived_at is null
        order by s.free_time_at
        limit $1
        for no key update skip locked
      ),
      dropped as (
        update landfall.shipments as s
        set free_time_at = null
        from due
        where s.account_id = due.account_id and s.id = due.id and not due.assessed
      )
      select account_id, id, assessed from due`,
    values: [limit],
  });
  const due = rows.filter(({ assessed }) => assessed).map((row) => ({ accountId: row.accountId, shipmentId: row.id }));
  return { due, dropped: rows.length - due.length };
}
