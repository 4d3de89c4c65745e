import type { ListPlan } from '../list-plan.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import type { RowChange } from './row-before.ts';
import { planMatches } from './row-matches.ts';

/** The position at which reading continues: the list of the chain, and the cursor in it. */
export type PageParam = { link: number; cursor: string | null };

export type ListPage = {
  /** Rows on top, on the first page only. */
  lead: readonly ShipmentRow[];
  /** There are more lead rows than were loaded. */
  leadHasMore: boolean;
  rows: readonly ShipmentRow[];
  next: PageParam | null;
  /**
   * Shipments that entered the list after it was loaded, on the first page. They are not inserted, so that rows do not
   * move.
   */
  arrived: readonly string[];
};

export type ListItem =
  | { kind: 'group'; key: string; title: 'needs' | 'rest'; hasMore: boolean }
  | { kind: 'row'; key: string; row: ShipmentRow; isLead: boolean };

/** The rendered list: its lines, its rows, and their ids. */
export type ListLines = { items: readonly ListItem[]; rows: readonly ShipmentRow[]; order: readonly string[] };

/** The lines of the list from top to bottom. A shipment in several lists is shown once, at its first position. */
export function linesOf(pages: readonly ListPage[], isGrouped: boolean): ListLines {
  const seen = new Set<string>();
  const items: ListItem[] = [];
  const rows: ShipmentRow[] = [];
  const order: string[] = [];
  const add = (row: ShipmentRow, isLead: boolean): void => {
    if (seen.has(row.id)) return;
    seen.add(row.id);
    items.push({ kind: 'row', key: row.id, row, isLead });
    rows.push(row);
    order.push(row.id);
  };
  const hasLead = isGrouped && pages.some(({ lead }) => lead.length > 0);
  if (hasLead)
    items.push({ kind: 'group', key: 'needs', title: 'needs', hasMore: pages.some(({ leadHasMore }) => leadHasMore) });
  for (const { lead } of pages) for (const row of lead) add(row, true);
  const leadCount = items.length;
  for (const page of pages) for (const row of page.rows) add(row, false);
  if (hasLead && items.length > leadCount)
    items.splice(leadCount, 0, { kind: 'group', key: 'rest', title: 'rest', hasMore: false });
  return { items, rows, order };
}

/**
 * Applies changes of the feed to loaded pages. Rows are updated in place, never moved, and never replaced by an older
 * version. A row that no longer matches the list stays; `planMatches` says so. `changed` contains the ids of updated
 * rows.
 */
export function mergeRows(
  pages: readonly ListPage[],
  plan: ListPlan,
  updates: readonly RowChange[],
): { pages: readonly ListPage[]; changed: string[] } {
  const newest = new Map<string, ShipmentRow>();
  for (const { row } of updates) {
    const before = newest.get(row.id);
    if (row.version < (before?.version ?? 0)) continue;
    newest.set(row.id, before === undefined ? row : { ...row, metadata: row.metadata ?? before.metadata });
  }
  const changed = new Set<string>();
  const held = new Set<string>();
  const update = (row: ShipmentRow): ShipmentRow => {
    const later = newest.get(row.id);
    if (later === undefined) return row;
    held.add(row.id);
    if (later.version <= row.version) return row;
    changed.add(row.id);
    return withKnown(later, row);
  };
  const merged = pages.map((page): ListPage => {
    if (!holdsAny(page, newest)) return page;
    const lead = page.lead.map(update);
    const rows = page.rows.map(update);
    const isSame =
      lead.every((row, index) => row === page.lead[index]) && rows.every((row, index) => row === page.rows[index]);
    return isSame ? page : { ...page, lead, rows };
  });
  const [first, ...others] = merged;
  if (first === undefined) return { pages, changed: [] };
  const arrived = arrivedAfter(first.arrived, { updates, newest, held, plan });
  if (arrived !== first.arrived) return { pages: [{ ...first, arrived }, ...others], changed: [...changed] };
  return { pages: changed.size === 0 ? pages : merged, changed: [...changed] };
}

const idsOfPages = new WeakMap<ListPage, ReadonlySet<string>>();

/** True when a page contains one of these rows. Most changes concern one page of hundreds. */
function holdsAny(page: ListPage, wanted: ReadonlyMap<string, unknown>): boolean {
  let ids = idsOfPages.get(page);
  if (ids === undefined) {
    ids = new Set([...page.lead, ...page.rows].map(({ id }) => id));
    idsOfPages.set(page, ids);
  }
  for (const id of wanted.keys()) if (ids.has(id)) return true;
  return false;
}

/** A row of a change with what changes do not contain. Of the exceptions, the known ones stay while any is open. */
function withKnown(later: ShipmentRow, row: ShipmentRow): ShipmentRow {
  return {
    ...later,
    exceptions: later.exceptions ?? (row.exceptions?.length ? row.exceptions : null),
    metadata: later.metadata ?? row.metadata,
    containerCount: later.containerCount ?? row.containerCount,
    vehicle: later.vehicle ?? row.vehicle,
  };
}

type Arriving = {
  updates: readonly RowChange[];
  newest: ReadonlyMap<string, ShipmentRow>;
  held: ReadonlySet<string>;
  plan: ListPlan;
};

/**
 * The shipments that entered the list, minus those that left it again; the same array when nothing changed. A shipment
 * that matched before belongs to a page that is not loaded yet: it has not entered.
 */
function arrivedAfter(before: readonly string[], { updates, newest, held, plan }: Arriving): readonly string[] {
  const after = new Set(before.filter((id) => !held.has(id)));
  for (const { row, before: former } of updates)
    if (!held.has(row.id) && (former === null || planMatches(plan, former) === 'no')) after.add(row.id);
  for (const row of newest.values()) if (planMatches(plan, row) !== 'yes') after.delete(row.id);
  return after.size === before.length && before.every((id) => after.has(id)) ? before : [...after];
}
