import type { ResolvedFilter } from '#shared/domain/lists/filter.ts';
import type { FilterName } from '#shared/domain/lists/filter-table.ts';
import { shipmentTables } from '../shipments/shipment-row.ts';
import { type Add, type FilterContext, type FilterSql, filterSql } from './filter-sql.ts';

/** A shipment that may match, with its sort time (ms since 1970). */
export type Candidate = { id: string; createdAtMs: number };

export type FilterScope = {
  accountId: string;
  test: boolean;
  filter: ResolvedFilter;
  /** The result of `narrowByWords`: no other shipment can match. Null: too many matches. Absent: not narrowed yet. */
  candidates?: readonly Candidate[] | null;
  /** A bound that every remaining row in the order of the list fulfils. Its day is still compared. */
  passedBound?: 'eta>=' | 'eta<=' | null;
};

export type Condition = {
  text: string;
  values: unknown[];
  add: Add;
  /** The tables of the condition. `p` is joined only where needed. */
  tables: string;
};

/**
 * The filter as a condition over `s` (shipments) and `p` (polling), equivalent to the domain's `matchesFilter`. `$1` is
 * the account.
 */
export function filterCondition({ accountId, test, filter, candidates, passedBound = null }: FilterScope): Condition {
  const values: unknown[] = [accountId, test];
  const add = (value: unknown) => `$${values.push(value)}`;
  const parts = ['s.account_id = $1', 's.test = $2'];
  if (candidates) parts.push(`s.id = any(${add(candidates.map(({ id }) => id))}::uuid[])`);
  const { otherTexts, ...own } = filter;
  const asked: ResolvedFilter = { ...own, archived: filter.archived ?? false };
  const context: FilterContext = { passedBound, ...(otherTexts === undefined ? {} : { otherTexts }) };
  const rows = (Object.entries(filterSql) as [FilterName, FilterSql][]).filter(([name]) => asked[name] !== undefined);
  const of = (...kinds: FilterSql['of'][]) =>
    rows
      .filter(([, row]) => kinds.includes(row.of))
      .flatMap(([name, { conditions }]) => conditions(add, asked[name] as never, context));
  parts.push(...of('s', 'p'));
  const measures = of('arrival');
  // Only lanes are known before the arrival.
  if (measures.length > 0) measures.push('f.arrived_day is not null');
  measures.push(...of('f'));
  if (measures.length > 0) parts.push(measuresCondition(measures));
  const tables = rows.some(([, row]) => row.of === 'p') ? shipmentTables : 'landfall.shipments as s';
  return { text: parts.join('\n        and '), values, add, tables };
}

/**
 * The part of a filter that the kept measures answer. `$1` is the account, `$2` the mode. They are what the figures of
 * analytics are counted from, so that a figure and its list agree.
 */
function measuresCondition(parts: readonly string[]): string {
  return `s.id in (
          select f.shipment_id from landfall.shipment_measures as f
          where f.account_id = $1 and f.test = $2 and ${parts.join(' and ')}
        )`;
}
