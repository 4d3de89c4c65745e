import type { ResolvedFilter } from '#shared/domain/lists/filter.ts';
import type { Status, TrackingReason, TrackingState } from '#shared/domain/record/shipment.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import type { FilterScope } from './shipment-filter.ts';

/** The number of shipments with this combination of properties. */
export type KeptCount = {
  status: Status;
  state: TrackingState;
  reason: TrackingReason | null;
  hasException: boolean;
  needsAttention: boolean;
  counted: number;
};

const keptBy: readonly (keyof ResolvedFilter)[] = [
  'status',
  'trackingState',
  'trackingReason',
  'hasException',
  'needsAttention',
  'archived',
];

/** True when the kept counts cover this filter. */
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
  return readRows<{
    status: Status;
    state: TrackingState;
    reason: TrackingReason | null;
    hasException: boolean;
    needsAttention: boolean;
    counted: number;
  }>(tx, {
    name: 'read-kept-counts',
    text: `
      select k.status, k.state, nullif(k.reason, '') as reason, k.has_exception, k.needs_attention, sum(k.counted)::bigint as counted
      from (
        select c.status, c.state, c.reason, c.has_exception, c.needs_attention, c.counted
        from landfall.shipment_counts as c
        where c.account_id = $1 and c.test = $2 and ($3::boolean is null or c.archived = $3)
        union all
        select d.status, d.state, d.reason, d.has_exception, d.needs_attention, d.delta
        from landfall.shipment_count_deltas as d
        where d.account_id = $1 and d.test = $2 and ($3::boolean is null or d.archived = $3)
      ) as k
      where ($4::text[] is null or k.status = any($4))
        and ($5::text[] is null or k.state = any($5))
        and ($6::boolean is null or k.has_exception = $6)
        and ($7::text[] is null or k.reason = any($7))
        and ($8::boolean is null or k.needs_attention = $8)
      group by 1, 2, 3, 4, 5
      having sum(k.counted) <> 0`,
    values: [
      accountId,
      test,
      filter.archived === 'any' ? null : filter.archived === true,
      filter.status ?? null,
      filter.trackingState ?? null,
      filter.hasException ?? null,
      filter.trackingReason ?? null,
      filter.needsAttention ?? null,
    ],
  });
}
