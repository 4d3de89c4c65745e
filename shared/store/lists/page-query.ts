import { instantsOfDay, isDay } from '#shared/domain/events/local-day.ts';
import type { ResolvedFilter, ShipmentSort } from '#shared/domain/lists/filter.ts';
import { rowColumns, shipmentColumns } from '../shipments/shipment-row.ts';
import { type FilterScope, filterCondition } from './shipment-filter.ts';

/**
 * The position of the row before the next page. `value` is the row's sort time (ISO UTC), its delay in hours or its last
 * free day. It is null for rows without one, which come last.
 */
export type ListPosition = { value: string | null; id: string; asOf: string };

/** The rows that have the value to sort by, or with `timed` false the rows without it. */
export type PagePart = {
  sort: ShipmentSort;
  after: ListPosition | null;
  withEvents: boolean;
  wanted: number;
  timed: boolean;
  asOfBound: string | null;
};

export type SortColumn =
  | 'created_at'
  | 'updated_at'
  | 'eta'
  | 'status_changed_at'
  | 'last_event_at'
  | 'delay_hours'
  | 'last_free_day';

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
  '-delay_hours': { column: 'delay_hours', direction: 'desc' },
  delay_hours: { column: 'delay_hours', direction: 'asc' },
  '-last_free_day': { column: 'last_free_day', direction: 'desc' },
  last_free_day: { column: 'last_free_day', direction: 'asc' },
};

/** Creation and update times always exist; the other values may be missing. */
export function isNullable(column: SortColumn): boolean {
  return column !== 'created_at' && column !== 'updated_at';
}

/**
 * One part of a page in sort order, using the index in that order where there is one. The rows are selected first and
 * read afterwards, because sorting whole rows would decompress each record.
 */
export function pageQuery(scope: FilterScope, part: PagePart): { text: string; values: unknown[] } {
  const { column, direction } = sortColumns[part.sort];
  const merged = mergedField(scope.filter, part);
  const { text, values } = merged === null ? chosenRows(scope, part) : mergedRows(scope, part, merged);
  return {
    // Materialized: without statistics, Postgres might select again for each joined row.
    text: `
      with chosen as materialized (${text}
      )
      select ${part.withEvents ? shipmentColumns : rowColumns}, ${sortValue(column)} as sort_value, now() as as_of
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
  const { text, values, add, tables } = filterCondition(withoutPassedBound(scope, part));
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
    // One by one in the tag's order: `limit` prevents Postgres from joining all of them first.
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
  // When sorting by a time that changes, rows that changed since the first page are left to the change feed, so that no
  // row appears twice.
  if (part.asOfBound !== null && column !== 'created_at' && part.sort !== '-updated_at')
    conditions.push(`s.updated_at <= ${add(part.asOfBound)}::timestamptz`);
  if (isNullable(column)) conditions.push(`s.${column} is ${part.timed ? 'not ' : ''}null`);
  const past = direction === 'desc' ? '<' : '>';
  if (part.after !== null) {
    conditions.push(
      part.timed
        ? `(${key.time}, ${key.id}) ${past} (${add(part.after.value)}::${typeOf(column)}, ${add(part.after.id)}::uuid)`
        : `${key.id} ${past} ${add(part.after.id)}::uuid`,
    );
  }
  return conditions;
}

function typeOf(column: SortColumn): string {
  return column === 'delay_hours' ? 'float8' : column === 'last_free_day' ? 'date' : 'timestamptz';
}

/** A day as text: as a `Date` it would be one of the process's own time zone. */
function sortValue(column: SortColumn): string {
  return column === 'last_free_day' ? 's.last_free_day::text' : `s.${column}`;
}

/** A tag's rows are stored in creation order. With candidates, there are few rows in any order. */
function walksTag({ filter, candidates }: FilterScope, { sort }: PagePart): boolean {
  return filter.tag?.length === 1 && sortColumns[sort].column === 'created_at' && !candidates;
}

type MergedField = { name: 'status' | 'transportMode' | 'carrier'; column: string; values: readonly string[] };

const mergedColumns = [
  { name: 'status', column: 'status', sorts: ['created_at', 'updated_at'] },
  { name: 'transportMode', column: 'transport_mode', sorts: ['created_at'] },
  { name: 'carrier', column: 'carrier', sorts: ['created_at'] },
] as const;

const maxMergedValues = 10;

/**
 * Several values of a field with an index in this order. Each value is read separately, because no index holds several
 * values in one order.
 */
function mergedField(filter: ResolvedFilter, { sort }: PagePart): MergedField | null {
  for (const { name, column, sorts } of mergedColumns) {
    const values: readonly string[] = filter[name] ?? [];
    const isOrdered = (sorts as readonly string[]).includes(sortColumns[sort].column);
    if (isOrdered && values.length > 1 && values.length <= maxMergedValues) return { name, column, values };
  }
  return null;
}

/** The first rows of each value, merged into the first rows overall. */
function mergedRows(scope: FilterScope, part: PagePart, { name, column: field, values: wanted }: MergedField) {
  const { column, direction } = sortColumns[part.sort];
  const { [name]: _, ...filter } = scope.filter;
  const { text, values, add, tables } = filterCondition(withoutPassedBound({ ...scope, filter }, part));
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

type BoundName =
  | 'createdFrom'
  | 'createdTo'
  | 'updatedSince'
  | 'etaFrom'
  | 'etaTo'
  | 'lastFreeDayFrom'
  | 'lastFreeDayTo';

const filterBounds: Partial<Record<ShipmentSort, BoundName>> = {
  created_at: 'createdFrom',
  '-created_at': 'createdTo',
  updated_at: 'updatedSince',
  eta: 'etaFrom',
  '-eta': 'etaTo',
  last_free_day: 'lastFreeDayFrom',
  '-last_free_day': 'lastFreeDayTo',
};

/**
 * The scope without the bound at the start of the order, from the second page on. With both conditions, Postgres would
 * start at that bound and scan the index up to the page. For the same reason, `-updated_at` omits the bound of its
 * first page: the position implies it. Of a bound that is a day, only the instant is implied.
 */
function withoutPassedBound(scope: FilterScope, { sort, after }: PagePart): FilterScope {
  const { filter } = scope;
  const name = filterBounds[sort];
  const bound = name && filter[name];
  if (name === undefined || bound === undefined || after === null || after.value === null) return scope;
  const isDescending = sort.startsWith('-');
  // Last free days are compared as days.
  const isOfDay = isDay(bound) && !name.startsWith('lastFreeDay');
  const instant = isOfDay ? instantsOfDay(bound)[isDescending ? 'last' : 'first'] : bound;
  const isPassed = isDescending ? after.value <= instant : after.value >= instant;
  if (!isPassed) return scope;
  if (isOfDay) return { ...scope, passedBound: isDescending ? 'eta<=' : 'eta>=' };
  return { ...scope, filter: { ...filter, [name]: undefined } };
}
