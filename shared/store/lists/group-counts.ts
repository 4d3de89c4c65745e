import { type GroupCounts, type GroupDimension, maxGroups } from '#shared/domain/lists/group-dimensions.ts';
import { readRows } from '../read-rows.ts';
import { shipmentTables } from '../shipments/shipment-row.ts';
import type { Tx } from '../with-account.ts';
import { type FilterScope, filterCondition } from './shipment-filter.ts';
import { withinTime } from './within-time.ts';

/** Time limit of exact groups. A filter with more matches than can be read in it gets the groups of `maxCounted`. */
const exactMs = 700;
const maxCounted = 10_000;

/** Values of a shipment. Those of a list are joined as `g`: a shipment without any has one row. */
const keys: Record<GroupDimension, { key: string; list?: string; place?: 'origin' | 'destination' }> = {
  status: { key: 's.status' },
  carrier: { key: 's.carrier' },
  transport_mode: { key: 's.transport_mode' },
  origin: { key: 'coalesce(s.origin_unlocode, s.origin_iata, s.origin_name)', place: 'origin' },
  destination: {
    key: 'coalesce(s.destination_unlocode, s.destination_iata, s.destination_name)',
    place: 'destination',
  },
  destination_country: { key: 's.destination_country' },
  tag: { key: 'g.value', list: 's.tags' },
  exception: { key: 'g.value', list: 's.exception_codes' },
  eta_day: { key: 's.eta_day::text' },
  eta_week: { key: `to_char(s.eta_day, 'IYYY-"W"IW')` },
  tracking_state: { key: 'p.state' },
};

/** Counts all matches of the filter in groups. See `GroupCounts`. */
export async function countGroups(tx: Tx, scope: FilterScope, by: GroupDimension): Promise<GroupCounts> {
  const exact = await withinTime(tx, exactMs, () => readGroups(tx, scope, { by, limit: null }));
  return exact ?? { ...(await readGroups(tx, scope, { by, limit: maxCounted })), isPartial: true };
}

type GroupRow = { key: string | null; name: string | null; counted: number; allCounted: number };

async function readGroups(
  tx: Tx,
  scope: FilterScope,
  { by, limit }: { by: GroupDimension; limit: number | null },
): Promise<GroupCounts> {
  const { key, list, place } = keys[by];
  const { text, values, tables } = filterCondition(scope);
  const source = by === 'tracking_state' ? shipmentTables : tables;
  const rows = await readRows<GroupRow>(tx, {
    text: `
      with matching as (
        select s.id, ${list ?? key} as value
        from ${source}
        where ${text}${limit === null ? '' : ` limit ${limit}`}
      ),
      counted as (
        select ${list === undefined ? 'm.value' : 'g.value'} as key, count(*) as counted, any_value(m.id) as example
        from matching as m
        ${list === undefined ? '' : 'left join lateral unnest(m.value) as g (value) on true'}
        group by 1
      ),
      largest as (
        select c.key, c.counted, c.example, sum(c.counted) over ()::bigint as all_counted
        from counted as c
        order by c.counted desc, c.key
        limit ${maxGroups}
      )
      select l.key, l.counted, l.all_counted, ${place === undefined ? 'null' : `s.record #>> '{${place},name}'`} as name
      from largest as l
      left join landfall.shipments as s on s.account_id = $1 and s.id = l.example
      order by ${by.startsWith('eta_') ? 'l.key' : 'l.counted desc, l.key'}`,
    values,
  });
  const groups = rows.map((row) => ({
    key: row.key,
    name: row.key === null ? null : row.name,
    count: Number(row.counted),
  }));
  const shown = groups.reduce((sum, { count }) => sum + count, 0);
  return { by, groups, other: Number(rows[0]?.allCounted ?? 0) - shown, isPartial: false };
}
