import type { ShipmentSort } from '#shared/domain/lists/filter.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { readRows } from '../read-rows.ts';
import { type StoredShipmentRow, toShipment } from '../shipments/shipment-row.ts';
import { readTime, type Tx } from '../with-account.ts';
import { maxCandidates, narrowByWords } from './narrow-by-words.ts';
import { isNullable, type ListPosition, type PagePart, pageQuery, type SortColumn, sortColumns } from './page-query.ts';
import { type Candidate, type FilterScope, filterCondition } from './shipment-filter.ts';

export type { ListPosition };

export type ListPage = { shipments: Shipment[]; next: ListPosition | null; asOf: string };

export type PageRequest = {
  sort: ShipmentSort;
  limit: number;
  after: ListPosition | null;
  /** False: `journey.events` and `journey.etaHistory` are empty. */
  withEvents: boolean;
};

/** One page in sort order, with ties ordered by id. Rows without the sort time come last. */
export async function readShipmentPage(tx: Tx, wholeScope: FilterScope, page: PageRequest): Promise<ListPage> {
  const { column } = sortColumns[page.sort];
  const scope = isTagList(wholeScope, page)
    ? { ...wholeScope, candidates: null }
    : withFewCandidates(await narrowByWords(tx, wholeScope), column);
  const wanted = page.limit + 1;
  const isPastTimed = page.after !== null && page.after.value === null;
  const asOfBound = page.after?.asOf ?? null;
  const rows = isPastTimed ? [] : await readPart(tx, scope, { ...page, wanted, timed: true, asOfBound });
  if (isNullable(column) && !excludesUntimed(scope, column) && rows.length < wanted) {
    const after = isPastTimed ? page.after : null;
    rows.push(
      ...(await readPart(tx, scope, { ...page, after, wanted: wanted - rows.length, timed: false, asOfBound })),
    );
  }
  const asOf = asOfBound ?? rows[0]?.asOf ?? (await readTime(tx)).toISOString();
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const next = rows.length > page.limit && last ? { value: positionValue(last.sortValue), id: last.id, asOf } : null;
  return { shipments: shown.map(toShipment), next, asOf };
}

/** A bound of the day leaves no row without one. Every other row of the account would be read to find that out. */
function excludesUntimed({ filter }: FilterScope, column: SortColumn): boolean {
  return column === 'last_free_day' && (filter.lastFreeDayFrom !== undefined || filter.lastFreeDayTo !== undefined);
}

type PartRow = StoredShipmentRow & { sortValue: string | number | null; asOf: string };

function positionValue(value: string | number | null): string | null {
  return value === null ? null : String(value);
}

/** A tag alone lists its rows in the list's order already, so there is nothing to narrow. */
function isTagList({ filter, candidates }: FilterScope, { sort }: PageRequest): boolean {
  return (
    candidates === undefined &&
    filter.tag?.length === 1 &&
    filter.q === undefined &&
    sortColumns[sort].column === 'created_at'
  );
}

/** Counts may have found too many candidates to sort by a time other than creation. */
function withFewCandidates(scope: FilterScope, column: SortColumn): FilterScope {
  const isMany = column !== 'created_at' && (scope.candidates?.length ?? 0) > maxCandidates;
  return isMany ? { ...scope, candidates: null } : scope;
}

/**
 * In creation order, candidates are read in growing steps until the part is full. Of a few hundred candidates, most are
 * never read.
 */
async function readPart(tx: Tx, scope: FilterScope, part: PagePart): Promise<PartRow[]> {
  if (!scope.candidates || sortColumns[part.sort].column !== 'created_at') return readSlice(tx, scope, part);
  const ordered = inOrder(scope.candidates, part);
  const rows: PartRow[] = [];
  for (let from = 0, size = part.wanted; from < ordered.length && rows.length < part.wanted; from += size, size *= 4) {
    const candidates = ordered.slice(from, from + size);
    rows.push(...(await readSlice(tx, { ...scope, candidates }, { ...part, wanted: part.wanted - rows.length })));
  }
  return rows;
}

/** Candidates that come after the position, in the list's order. */
function inOrder(candidates: readonly Candidate[], { sort, after }: PagePart): Candidate[] {
  const direction = sortColumns[sort].direction === 'desc' ? -1 : 1;
  const afterMs = after?.value ? Date.parse(after.value) : null;
  return candidates
    .filter(({ createdAtMs }) => afterMs === null || (createdAtMs - afterMs) * direction >= 0)
    .sort((left, right) => direction * (left.createdAtMs - right.createdAtMs || (left.id < right.id ? -1 : 1)));
}

function readSlice(tx: Tx, scope: FilterScope, part: PagePart): Promise<PartRow[]> {
  return readRows<PartRow>(tx, pageQuery(scope, part));
}

/** The ids of all matches in a scope with candidates. */
export async function readMatchingIds(tx: Tx, scope: FilterScope): Promise<string[]> {
  const { text, values, tables } = filterCondition(scope);
  const rows = await readRows<{ id: string }>(tx, { text: `select s.id from ${tables} where ${text}`, values });
  return rows.map(({ id }) => id);
}
