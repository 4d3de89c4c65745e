import { withoutFreeTime } from '#shared/domain/lists/filter.ts';
import { type Status, statuses, type TrackingState, trackingStates } from '#shared/domain/record/shipment.ts';
import { readRows } from '../read-rows.ts';
import { hasFreshness, shipmentTables } from '../shipments/shipment-row.ts';
import type { Tx } from '../with-account.ts';
import { isKept, readKeptCounts } from './kept-counts.ts';
import { narrowByWords } from './narrow-by-words.ts';
import { type FilterScope, filterCondition } from './shipment-filter.ts';
import { withinTime } from './within-time.ts';

export type ShipmentCounts = {
  byStatus: Record<Status, number>;
  byTrackingState: Record<TrackingState, number>;
  stale: number;
  hasException: number;
  needsAttention: number;
  /** Shipments with a clock without known terms that match the filter but for its part about free time. */
  unknownTerms: number;
  total: number;
  totalIsLowerBound: boolean;
};

/** Counting stops here, unless the count is kept. */
export const countLimit = 10_000;
/** Time limit for an exact count where a lower bound is possible instead. */
const exactMs = 300;
/** Maximum number of stale shipments that the filter is applied to. There are more when a carrier is unavailable. */
const maxStale = 20_000;

/**
 * Counts the shipments that match the filter. For filters by status, state, reason, exception, attention and archive alone, the counts are
 * kept and exact. Only `stale` depends on the time and is counted up to 10,000. Any other filter is counted: up to
 * 10,000 shipments all counts are exact. Beyond that, each one is counted separately up to 10,000 or, if that takes too
 * long, is the count among the first 10,000 matches.
 */
export async function countShipments(tx: Tx, wholeScope: FilterScope): Promise<ShipmentCounts> {
  if (!wholeScope.candidates && isKept(wholeScope.filter)) {
    const kept = await readKeptCounts(tx, wholeScope);
    const stale = await countStale(tx, wholeScope);
    return { ...sumUp(kept), stale, unknownTerms: await countUnknownTerms(tx, wholeScope), totalIsLowerBound: false };
  }
  const scope = await narrowByWords(tx, wholeScope, countLimit);
  const groups = await readGroups(tx, scope);
  const unassessed = withoutFreeTime(scope.filter, null) ?? scope.filter;
  const counts = {
    ...sumUp(groups),
    stale: sumOf(groups.filter((group) => group.stale)),
    unknownTerms: await countUnknownTerms(tx, { ...scope, filter: unassessed }),
    totalIsLowerBound: false,
  };
  if (counts.total <= countLimit) return counts;
  return {
    ...counts,
    ...(await withinTime(tx, exactMs, () => readEach(tx, scope))),
    total: countLimit,
    totalIsLowerBound: true,
  };
}

type Counted = {
  status: Status;
  state: TrackingState;
  hasException: boolean;
  needsAttention: boolean;
  counted: number;
};
type Group = Counted & { stale: boolean };

function sumUp(groups: readonly Counted[]): Omit<ShipmentCounts, 'stale' | 'unknownTerms' | 'totalIsLowerBound'> {
  return {
    byStatus: tally(statuses, (status) => sumOf(groups.filter((group) => group.status === status))),
    byTrackingState: tally(trackingStates, (state) => sumOf(groups.filter((group) => group.state === state))),
    hasException: sumOf(groups.filter((group) => group.hasException)),
    needsAttention: sumOf(groups.filter((group) => group.needsAttention)),
    total: sumOf(groups),
  };
}

function sumOf(groups: readonly Counted[]): number {
  return groups.reduce((sum, group) => sum + group.counted, 0);
}

const isStale = `coalesce(${hasFreshness('stale')}, false)`;

/**
 * Uses the index of possibly stale shipments, whatever else the filter contains: few shipments are stale, while nearly
 * all match a status.
 */
async function countStale(tx: Tx, scope: FilterScope): Promise<number> {
  const { text, values } = filterCondition(scope);
  const rows = await readRows<{ counted: number }>(tx, {
    text: `
      with stale as materialized (
        select p.shipment_id
        from landfall.polling as p
        where p.account_id = $1 and ${hasFreshness('stale')}
        limit ${maxStale}
      )
      select least(count(*), ${countLimit}) as counted
      from stale
      cross join lateral (select from ${shipmentTables} where s.id = stale.shipment_id and ${text} limit 1) as counted`,
    values,
  });
  return rows[0]?.counted ?? 0;
}

/**
 * Shipments that match the filter and have a clock without known terms, up to `countLimit`. From the index over those
 * alone.
 */
export async function countUnknownTerms(tx: Tx, scope: FilterScope): Promise<number> {
  const { text, values, tables } = filterCondition(scope);
  const rows = await readRows<{ counted: number }>(tx, {
    text: `
      select count(*) as counted
      from (
        select from ${tables} where ${text} and 'unknown_terms' = any (s.free_time_states) limit ${countLimit}
      ) as counted_rows`,
    values,
  });
  return rows[0]?.counted ?? 0;
}

/** A single pass over at most one shipment more than the limit. */
async function readGroups(tx: Tx, scope: FilterScope): Promise<Group[]> {
  const { text, values } = filterCondition(scope);
  return readRows<Group>(tx, {
    text: `
      select counted.status, counted.state, counted.stale, counted.has_exception, counted.needs_attention, count(*) as counted
      from (
        select s.status, p.state, s.has_exception, s.needs_attention, ${isStale} as stale
        from ${shipmentTables}
        where ${text}
        limit ${countLimit + 1}
      ) as counted
      group by 1, 2, 3, 4, 5`,
    values,
  });
}

type EachCount = Pick<ShipmentCounts, 'byStatus' | 'byTrackingState' | 'stale' | 'hasException' | 'needsAttention'>;

async function readEach(tx: Tx, scope: FilterScope): Promise<EachCount> {
  const { text, values, add } = filterCondition(scope);
  const limited = (condition: string) =>
    `(select count(*) from (select from ${shipmentTables} where ${text} and ${condition} limit ${countLimit}) as counted_rows)`;
  const [countedStatuses, countedStates] = [add(statuses), add(trackingStates)];
  const rows = await readRows<{
    byStatus: Record<string, number>;
    byState: Record<string, number>;
    stale: number;
    hasException: number;
    needsAttention: number;
  }>(tx, {
    text: `
      select
        (select json_object_agg(wanted.status, ${limited('s.status = wanted.status')})
          from unnest(${countedStatuses}::text[]) as wanted (status)) as by_status,
        (select json_object_agg(wanted.state, ${limited('p.state = wanted.state')})
          from unnest(${countedStates}::text[]) as wanted (state)) as by_state,
        ${limited(`p.account_id = $1 and ${isStale}`)} as stale,
        ${limited('s.has_exception')} as has_exception,
        ${limited('s.needs_attention')} as needs_attention`,
    values,
  });
  const [counted] = rows;
  return {
    byStatus: tally(statuses, (status) => counted?.byStatus[status] ?? 0),
    byTrackingState: tally(trackingStates, (state) => counted?.byState[state] ?? 0),
    stale: counted?.stale ?? 0,
    hasException: counted?.hasException ?? 0,
    needsAttention: counted?.needsAttention ?? 0,
  };
}

function tally<Name extends string>(names: readonly Name[], countOf: (name: Name) => number): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, countOf(name)])) as Record<Name, number>;
}
