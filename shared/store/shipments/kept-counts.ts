import type { ResolvedFilter } from '#shared/domain/shipments/filter.ts';
import type { Status, TrackingState } from '#shared/domain/shipments/shipment.ts';
import type { Tx } from '../with-account.ts';
import type { FilterScope } from './shipment-filter.ts';

/** The number of shipments with this combination of properties. */
export type KeptCount = { status: Status; state: TrackingState; hasException: boolean; counted: number };

const keptBy: readonly (keyof ResolvedFilter)[] = ['status', 'trackingState', 'hasException', 'archived'];

/** Whether the kept counts cover this filter. */
export function isKept(filter: ResolvedFilter): boolean {
  return Object.entries(filter).every(
    ([name, part]) => part === undefined || (keptBy as readonly string[]).includes(name),
  );
}

/**
 * The kept counts of a filter that `isKept` accepts, exact as of the statement: the folded counts plus the deltas not
 * yet folded.
 */
export async function readKeptCounts(tx: Tx, { accountId, test, filter }: FilterScope): Promise<KeptCount[]> {
  const { rows } = await tx.query<{ status: Status; state: TrackingState; has_exception: boolean; counted: number }>({
    name: 'read-kept-counts',
    text: `
      select k.status, k.state, k.has_exception, sum(k.counted)::bigint as counted
      from (
        select c.status, c.state, c.has_exception, c.counted
        from landfall.shipment_counts as c
        where c.account_id = $1 and c.test = $2 and c.archived = $3
        union all
        select d.status, d.state, d.has_exception, d.delta
        from landfall.shipment_count_deltas as d
        where d.account_id = $1 and d.test = $2 and d.archived = $3
      ) as k
      where ($4::text[] is null or k.status = any($4))
        and ($5::text[] is null or k.state = any($5))
        and ($6::boolean is null or k.has_exception = $6)
      group by 1, 2, 3
      having sum(k.counted) <> 0`,
    values: [
      accountId,
      test,
      filter.archived === true,
      filter.status ?? null,
      filter.trackingState ?? null,
      filter.hasException ?? null,
    ],
  });
  return rows.map((row) => ({
    status: row.status,
    state: row.state,
    hasException: row.has_exception,
    counted: row.counted,
  }));
}
