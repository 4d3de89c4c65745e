import type { ShipmentSort } from '#shared/domain/filter.ts';
import { type Shipment, type Status, statuses } from '#shared/domain/shipment.ts';
import { type FilterScope, filterCondition, staleCondition } from './shipment-filter.ts';
import { type ShipmentRow, shipmentColumns, shipmentTables, toShipment } from './shipment-row.ts';
import type { Tx } from './with-account.ts';

/**
 * Where the next page begins: after this row. `value` is the row's sort time (ISO UTC), null among the rows without one, which come last.
 */
export type ListPosition = { value: string | null; id: string; asOf: string };

export type ListPage = { shipments: Shipment[]; next: ListPosition | null; asOf: string };

export type ShipmentCounts = {
  byStatus: Partial<Record<Status, number>>;
  stale: number;
  total: number;
  totalIsLowerBound: boolean;
};

const countLimit = 10_000;

/** One page in the sort's order, ties by id; rows without the sort's time come last. */
export async function readShipmentPage(
  tx: Tx,
  scope: FilterScope,
  page: { sort: ShipmentSort; limit: number; after: ListPosition | null },
): Promise<ListPage> {
  const { column } = sortOf(page.sort);
  const clock = await tx.query<{ as_of: Date }>({ name: 'read-clock', text: 'select now() as as_of' });
  const asOf = page.after?.asOf ?? (clock.rows[0]?.as_of ?? new Date(0)).toISOString();
  const wanted = page.limit + 1;
  const rows = page.after !== null && page.after.value === null ? [] : await readPart(tx, scope, { ...page, wanted, timed: true });
  const mayBeNull = column !== 'created_at' && column !== 'updated_at';
  if (mayBeNull && rows.length < wanted) {
    const after = page.after !== null && page.after.value === null ? page.after : null;
    const asOfBound = page.after === null ? null : asOf;
    rows.push(...(await readPart(tx, scope, { sort: page.sort, after, wanted: wanted - rows.length, timed: false, asOfBound })));
  }
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const next = rows.length > page.limit && last ? { value: last.sort_value?.toISOString() ?? null, id: last.id, asOf } : null;
  return { shipments: shown.map(toShipment), next, asOf };
}

/** Rows by status, the stale ones and all of them, each counted to 10,000 at most. */
export async function countShipments(tx: Tx, scope: FilterScope): Promise<ShipmentCounts> {
  const { text, values, add } = filterCondition(scope);
  const countedStatuses = add(statuses);
  const { rows } = await tx.query<{ status: Status; counted: number }>({
    text: `
      select wanted.status, counted.counted
      from unnest(${countedStatuses}::text[]) as wanted (status)
      cross join lateral (
        select count(*) as counted from (
          select from ${shipmentTables}
          where ${text}
            and s.status = wanted.status
          limit ${countLimit + 1}
        ) as counted_rows
      ) as counted`,
    values,
  });
  const stale = await countStale(tx, scope);
  const byStatus: Partial<Record<Status, number>> = {};
  let all = 0;
  for (const row of rows) {
    all += row.counted;
    if (row.counted > 0) byStatus[row.status] = Math.min(row.counted, countLimit);
  }
  return { byStatus, stale, total: Math.min(all, countLimit), totalIsLowerBound: all > countLimit };
}

async function countStale(tx: Tx, scope: FilterScope): Promise<number> {
  const { text, values } = filterCondition(scope);
  const { rows } = await tx.query<{ counted: number }>({
    text: `
      select count(*) as counted from (
        select from ${shipmentTables}
        where p.account_id = $1 and ${staleCondition}
          and ${text}
        limit ${countLimit}
      ) as counted_rows`,
    values,
  });
  return rows[0]?.counted ?? 0;
}

type Part = { sort: ShipmentSort; after: ListPosition | null; wanted: number; timed: boolean; asOfBound?: string | null };

async function readPart(tx: Tx, scope: FilterScope, part: Part): Promise<(ShipmentRow & { sort_value: Date | null })[]> {
  const { column, direction } = sortOf(part.sort);
  const { text, values, add } = filterCondition(scope);
  const conditions = [text];
  const asOf = part.after?.asOf ?? part.asOfBound ?? null;
  // Under a key that moves, rows that changed since the first page are left to the change feed: no row comes twice.
  if (asOf !== null && column !== 'created_at') conditions.push(`s.updated_at <= ${add(asOf)}::timestamptz`);
  const isNullable = column !== 'created_at' && column !== 'updated_at';
  if (isNullable) conditions.push(`s.${column} is ${part.timed ? 'not ' : ''}null`);
  const past = direction === 'desc' ? '<' : '>';
  if (part.after !== null) {
    conditions.push(
      part.timed
        ? `(s.${column}, s.id) ${past} (${add(part.after.value)}::timestamptz, ${add(part.after.id)}::uuid)`
        : `s.id ${past} ${add(part.after.id)}::uuid`,
    );
  }
  const order = part.timed ? `s.${column} ${direction}, s.id ${direction}` : `s.id ${direction}`;
  const { rows } = await tx.query<ShipmentRow & { sort_value: Date | null }>({
    text: `
      select ${shipmentColumns}, s.${column} as sort_value
      from ${shipmentTables}
      where ${conditions.join('\n        and ')}
      order by ${order}
      limit ${add(part.wanted)}`,
    values,
  });
  return rows;
}

type SortColumn = 'created_at' | 'updated_at' | 'eta' | 'status_changed_at' | 'last_event_at';

const sortColumns: Record<ShipmentSort, { column: SortColumn; direction: 'asc' | 'desc' }> = {
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

function sortOf(sort: ShipmentSort) {
  return sortColumns[sort];
}
