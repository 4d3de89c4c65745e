import type { ShipmentFilter, ShipmentSort } from '#shared/domain/shipments/filter.ts';
import { type FilterScope, filterCondition } from './shipment-filter.ts';
import { rowColumns, shipmentColumns } from './shipment-row.ts';

/**
 * Where the next page begins: after this row. `value` is the row's sort time (ISO UTC), null among the rows without one, which come last.
 */
export type ListPosition = { value: string | null; id: string; asOf: string };

/** Either the rows that have the sort's time or, `timed` false, those without it. */
export type PagePart = {
  sort: ShipmentSort;
  after: ListPosition | null;
  withEvents: boolean;
  wanted: number;
  timed: boolean;
  asOfBound: string | null;
};

export type SortColumn = 'created_at' | 'updated_at' | 'eta' | 'status_changed_at' | 'last_event_at';

export const sortColumns: Record<ShipmentSort, { column: SortColumn; direction: 'asc' | 'desc' }> = {
  '-created_at': { column: 'created_at', direction: 'desc' },
  created_at: { column: 'created_at', direction: 'asc' },
  '-updated_at': { column: 'updated_at', direction: 'desc' },
  updated_at: { column: 'updated_at', direction: 'asc' },
  '-eta': { column: 'eta', direction: 'desc' },
  eta: { column: 'eta', direction: 'asc' },
  '-status_changed_at': { column: 'status_changed_at', direction: 'desc' },
  status_changed_at: { column: 'status_changed_at', direction: 'asc' },
  '-last_event_at': { column: 'last_event_at', direction: 'desc' },
  last_event_at: { column: 'last_event_at', direction: 'asc' },
};

/** Every shipment was created and updated; the other times may be missing. */
export function isNullable(column: SortColumn): boolean {
  return column !== 'created_at' && column !== 'updated_at';
}

/**
 * One part of a page in the sort's order, by the index that holds its rows in that order where there is one. The rows are chosen first and read
 * then: whoever sorts whole rows unpacks the record of each.
 */
export function pageQuery(scope: FilterScope, part: PagePart): { text: string; values: unknown[] } {
  const { column, direction } = sortColumns[part.sort];
  const merged = mergedField(scope.filter, part);
  const { text, values } = merged === null ? chosenRows(scope, part) : mergedRows(scope, part, merged);
  return {
    // Materialized: without statistics Postgres might choose anew for each row that it joins.
    text: `
      with chosen as materialized (${text}
      )
      select ${part.withEvents ? shipmentColumns : rowColumns}, s.${column} as sort_value, now() as as_of
      from chosen
      join landfall.shipments as s on s.account_id = $1 and s.id = chosen.id
      join landfall.polling as p on p.account_id = $1 and p.shipment_id = chosen.id
      order by ${part.timed ? `s.${column} ${direction}, ` : ''}s.id ${direction}`,
    values,
  };
}

function chosenRows(scope: FilterScope, part: PagePart): { text: string; values: unknown[] } {
  const { column, direction } = sortColumns[part.sort];
  const byTag = walksTag(scope, part);
  const { text, values, add, tables } = filterCondition({ ...scope, filter: withoutPassedBound(scope.filter, part) });
  const key = byTag ? { time: 't.created_at', id: 't.shipment_id' } : { time: `s.${column}`, id: 's.id' };
  const position = positionConditions(part, key, add);
  const order = `order by ${part.timed ? `${key.time} ${direction}, ` : ''}${key.id} ${direction} limit ${add(part.wanted)}`;
  if (!byTag)
    return {
      text: `select s.id from ${tables} where ${[text, ...position].join('\n          and ')} ${order}`,
      values,
    };
  const conditions = [`t.account_id = $1 and t.test = $2 and t.tag = ${add(scope.filter.tag?.[0])}`, ...position];
  return {
    // One by one in the tag's order: `limit` keeps Postgres from joining all of them first.
    text: `
        select t.shipment_id as id
        from landfall.shipment_tags as t
        cross join lateral (select from ${tables} where s.id = t.shipment_id and ${text} limit 1) as kept
        where ${conditions.join('\n          and ')}
        ${order}`,
    values,
  };
}

type AddValue = (value: unknown) => string;

function positionConditions(part: PagePart, key: { time: string; id: string }, add: AddValue): string[] {
  const { column, direction } = sortColumns[part.sort];
  const conditions: string[] = [];
  // Under a key that moves, rows that changed since the first page are left to the change feed: no row comes twice.
  if (part.asOfBound !== null && column !== 'created_at' && part.sort !== '-updated_at')
    conditions.push(`s.updated_at <= ${add(part.asOfBound)}::timestamptz`);
  if (isNullable(column)) conditions.push(`s.${column} is ${part.timed ? 'not ' : ''}null`);
  const past = direction === 'desc' ? '<' : '>';
  if (part.after !== null) {
    conditions.push(
      part.timed
        ? `(${key.time}, ${key.id}) ${past} (${add(part.after.value)}::timestamptz, ${add(part.after.id)}::uuid)`
        : `${key.id} ${past} ${add(part.after.id)}::uuid`,
    );
  }
  return conditions;
}

/** A tag's rows are kept in the order of creation. With candidates there are few rows in any order. */
function walksTag({ filter, candidates }: FilterScope, { sort }: PagePart): boolean {
  return filter.tag?.length === 1 && sortColumns[sort].column === 'created_at' && !candidates;
}

type MergedField = { name: 'status' | 'transportMode' | 'carrier'; column: string; values: readonly string[] };

const mergedColumns = [
  { name: 'status', column: 'status', sorts: ['created_at', 'updated_at'] },
  { name: 'transportMode', column: 'transport_mode', sorts: ['created_at'] },
  { name: 'carrier', column: 'carrier', sorts: ['created_at'] },
] as const;

const mostMerged = 10;

/** Several values of a field that has an index in this order, each value by itself: no index holds several in one order. */
function mergedField(filter: ShipmentFilter, { sort }: PagePart): MergedField | null {
  for (const { name, column, sorts } of mergedColumns) {
    const values: readonly string[] = filter[name] ?? [];
    const isOrdered = (sorts as readonly string[]).includes(sortColumns[sort].column);
    if (isOrdered && values.length > 1 && values.length <= mostMerged) return { name, column, values };
  }
  return null;
}

/** The first rows of each value, and of those the first. */
function mergedRows(scope: FilterScope, part: PagePart, { name, column: field, values: wanted }: MergedField) {
  const { column, direction } = sortColumns[part.sort];
  const { [name]: _, ...filter } = scope.filter;
  const { text, values, add, tables } = filterCondition({ ...scope, filter: withoutPassedBound(filter, part) });
  const conditions = [
    text,
    `s.${field} = wanted.value`,
    ...positionConditions(part, { time: `s.${column}`, id: 's.id' }, add),
  ];
  const limit = add(part.wanted);
  return {
    text: `
        select of_value.id
        from unnest(${add(wanted)}::text[]) as wanted (value)
        cross join lateral (
          select s.id, s.${column} as sort_value
          from ${tables}
          where ${conditions.join('\n            and ')}
          order by s.${column} ${direction}, s.id ${direction}
          limit ${limit}
        ) as of_value
        order by of_value.sort_value ${direction}, of_value.id ${direction}
        limit ${limit}`,
    values,
  };
}

const filterBounds: Partial<Record<ShipmentSort, 'createdFrom' | 'createdTo' | 'updatedSince' | 'etaFrom' | 'etaTo'>> =
  {
    created_at: 'createdFrom',
    '-created_at': 'createdTo',
    updated_at: 'updatedSince',
    eta: 'etaFrom',
    '-eta': 'etaTo',
  };

/**
 * The filter without the bound where the order began, once a page lies behind it. With both conditions Postgres starts at that bound and walks
 * all the index up to the page. For the same reason `-updated_at` has no bound of its first page: its position implies it.
 */
function withoutPassedBound(filter: ShipmentFilter, { sort, after }: PagePart): ShipmentFilter {
  const name = filterBounds[sort];
  const bound = name && filter[name];
  if (name === undefined || bound === undefined || after === null || after.value === null) return filter;
  const isPassed = sort.startsWith('-') ? after.value <= bound : after.value >= bound;
  return isPassed ? { ...filter, [name]: undefined } : filter;
}
