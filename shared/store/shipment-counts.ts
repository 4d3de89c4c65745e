import { type Status, statuses, type TrackingState, trackingStates } from '#shared/domain/shipment.ts';
import { narrowByWords } from './narrow-by-words.ts';
import { type FilterScope, filterCondition } from './shipment-filter.ts';
import { shipmentTables } from './shipment-row.ts';
import type { Tx } from './with-account.ts';

export type ShipmentCounts = {
  byStatus: Record<Status, number>;
  byTrackingState: Record<TrackingState, number>;
  stale: number;
  hasException: number;
  total: number;
  totalIsLowerBound: boolean;
};

const countLimit = 10_000;

/** Counts what the filter gives. Up to 10,000 shipments all numbers are exact; beyond, each one is counted to 10,000 by itself. */
export async function countShipments(tx: Tx, wholeScope: FilterScope): Promise<ShipmentCounts> {
  const scope = await narrowByWords(tx, wholeScope);
  const groups = await readGroups(tx, scope);
  const total = groups.reduce((sum, group) => sum + group.counted, 0);
  if (total > countLimit) return { ...(await countEach(tx, scope)), total: countLimit, totalIsLowerBound: true };
  const sumOf = (isCounted: (group: Group) => boolean) => groups.filter(isCounted).reduce((sum, group) => sum + group.counted, 0);
  return {
    byStatus: tally(statuses, (status) => sumOf((group) => group.status === status)),
    byTrackingState: tally(trackingStates, (state) => sumOf((group) => group.state === state)),
    stale: sumOf((group) => group.stale),
    hasException: sumOf((group) => group.has_exception),
    total,
    totalIsLowerBound: false,
  };
}

type Group = { status: Status; state: TrackingState; stale: boolean; has_exception: boolean; counted: number };

const isStale = `coalesce(p.stale_at <= now() and p.last_succeeded_at is not null and p.state <> 'completed', false)`;

/** One pass over at most one shipment more than is counted. */
async function readGroups(tx: Tx, scope: FilterScope): Promise<Group[]> {
  const { text, values } = filterCondition(scope);
  const { rows } = await tx.query<Group>({
    text: `
      select counted.status, counted.state, counted.stale, counted.has_exception, count(*) as counted
      from (
        select s.status, p.state, s.has_exception, ${isStale} as stale
        from ${shipmentTables}
        where ${text}
        limit ${countLimit + 1}
      ) as counted
      group by 1, 2, 3, 4`,
    values,
  });
  return rows;
}

async function countEach(
  tx: Tx,
  scope: FilterScope,
): Promise<Pick<ShipmentCounts, 'byStatus' | 'byTrackingState' | 'stale' | 'hasException'>> {
  const { text, values, add } = filterCondition(scope);
  const limited = (condition: string) =>
    `(select count(*) from (select from ${shipmentTables} where ${text} and ${condition} limit ${countLimit}) as counted_rows)`;
  const [countedStatuses, countedStates] = [add(statuses), add(trackingStates)];
  const { rows } = await tx.query<{
    by_status: Record<string, number>;
    by_state: Record<string, number>;
    stale: number;
    has_exception: number;
  }>({
    text: `
      select
        (select json_object_agg(wanted.status, ${limited('s.status = wanted.status')})
          from unnest(${countedStatuses}::text[]) as wanted (status)) as by_status,
        (select json_object_agg(wanted.state, ${limited('p.state = wanted.state')})
          from unnest(${countedStates}::text[]) as wanted (state)) as by_state,
        ${limited(`p.account_id = $1 and ${isStale}`)} as stale,
        ${limited('s.has_exception')} as has_exception`,
    values,
  });
  const [counted] = rows;
  return {
    byStatus: tally(statuses, (status) => counted?.by_status[status] ?? 0),
    byTrackingState: tally(trackingStates, (state) => counted?.by_state[state] ?? 0),
    stale: counted?.stale ?? 0,
    hasException: counted?.has_exception ?? 0,
  };
}

function tally<Name extends string>(names: readonly Name[], countOf: (name: Name) => number): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, countOf(name)])) as Record<Name, number>;
}
