import type { ShipmentFilter, ShipmentSort } from '#shared/domain/filter.ts';
import type { Shipment } from '#shared/domain/shipment.ts';
import { narrowByWords } from './narrow-by-words.ts';
import { readTime } from './read-time.ts';
import { type FilterScope, filterCondition } from './shipment-filter.ts';
import { rowColumns, type ShipmentRow, shipmentColumns, shipmentTables, toShipment } from './shipment-row.ts';
import type { Tx } from './with-account.ts';

/**
 * Where the next page begins: after this row. `value` is the row's sort time (ISO UTC), null among the rows without one, which come last.
 */
export type ListPosition = { value: string | null; id: string; asOf: string };

export type ListPage = { shipments: Shipment[]; next: ListPosition | null; asOf: string };

export type PageRequest = {
  sort: ShipmentSort;
  limit: number;
  after: ListPosition | null;
  /** Without them `journey.events` and `journey.etaHistory` are empty. */
  withEvents: boolean;
};

/** One page in the sort's order, ties by id; rows without the sort's time come last. */
export async function readShipmentPage(tx: Tx, wholeScope: FilterScope, page: PageRequest): Promise<ListPage> {
  const { column } = sortColumns[page.sort];
  const scope = await narrowByWords(tx, wholeScope);
  const wanted = page.limit + 1;
  const isPastTimed = page.after !== null && page.after.value === null;
  const asOfBound = page.after?.asOf ?? null;
  const rows = isPastTimed ? [] : await readPart(tx, scope, { ...page, wanted, timed: true, asOfBound });
  if (isNullable(column) && rows.length < wanted) {
    const after = isPastTimed ? page.after : null;
    rows.push(...(await readPart(tx, scope, { ...page, after, wanted: wanted - rows.length, timed: false, asOfBound })));
  }
  const asOf = asOfBound ?? (rows[0]?.as_of ?? (await readTime(tx))).toISOString();
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const next = rows.length > page.limit && last ? { value: last.sort_value?.toISOString() ?? null, id: last.id, asOf } : null;
  return { shipments: shown.map(toShipment), next, asOf };
}

type Part = Omit<PageRequest, 'limit'> & { wanted: number; timed: boolean; asOfBound: string | null };

type PartRow = ShipmentRow & { sort_value: Date | null; as_of: Date };

async function readPart(tx: Tx, scope: FilterScope, part: Part): Promise<PartRow[]> {
  const { text, values } = pageQuery(scope, part);
  const { rows } = await tx.query<PartRow>({ text, values });
  return rows;
}

function pageQuery(scope: FilterScope, part: Part): { text: string; values: unknown[] } {
  const { column, direction } = sortColumns[part.sort];
  const { text, values, add } = filterCondition({ ...scope, filter: withoutPassedBound(scope.filter, part) });
  const conditions = [text];
  // Under a key that moves, rows that changed since the first page are left to the change feed: no row comes twice.
  if (part.asOfBound !== null && column !== 'created_at' && part.sort !== '-updated_at')
    conditions.push(`s.updated_at <= ${add(part.asOfBound)}::timestamptz`);
  if (isNullable(column)) conditions.push(`s.${column} is ${part.timed ? 'not ' : ''}null`);
  const past = direction === 'desc' ? '<' : '>';
  if (part.after !== null) {
    conditions.push(
      part.timed
        ? `(s.${column}, s.id) ${past} (${add(part.after.value)}::timestamptz, ${add(part.after.id)}::uuid)`
        : `s.id ${past} ${add(part.after.id)}::uuid`,
    );
  }
  const order = part.timed ? `s.${column} ${direction}, s.id ${direction}` : `s.id ${direction}`;
  return {
    text: `
      select ${part.withEvents ? shipmentColumns : rowColumns}, s.${column} as sort_value, now() as as_of
      from ${shipmentTables}
      where ${conditions.join('\n        and ')}
      order by ${order}
      limit ${add(part.wanted)}`,
    values,
  };
}

const filterBounds: Partial<Record<ShipmentSort, 'createdFrom' | 'createdTo' | 'updatedSince' | 'etaFrom' | 'etaTo'>> = {
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
function withoutPassedBound(filter: ShipmentFilter, { sort, after }: Part): ShipmentFilter {
  const name = filterBounds[sort];
  const bound = name && filter[name];
  if (name === undefined || bound === undefined || after === null || after.value === null) return filter;
  const isPassed = sort.startsWith('-') ? after.value <= bound : after.value >= bound;
  return isPassed ? { ...filter, [name]: undefined } : filter;
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

/** Every shipment was created and updated; the other times may be missing. */
function isNullable(column: SortColumn): boolean {
  return column !== 'created_at' && column !== 'updated_at';
}
