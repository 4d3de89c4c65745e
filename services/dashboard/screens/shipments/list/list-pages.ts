import type { ListPlan } from '../list-plan.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import { planMatches } from './row-matches.ts';

/** Where a plan is read on: in which list of its chain, behind which row. */
export type PageParam = { link: number; cursor: string | null };

export type ListPage = {
  /** Rows that stand on top; on the first page alone. */
  lead: readonly ShipmentRow[];
  /** More stand on top than were read. */
  leadHasMore: boolean;
  rows: readonly ShipmentRow[];
  next: PageParam | null;
  /** Shipments that came into the list after it was read, on the first page: they are not squeezed in under the pointer. */
  arrived: readonly string[];
};

export type ListItem =
  | { kind: 'group'; key: string; title: 'needs' | 'rest'; hasMore: boolean }
  | { kind: 'row'; key: string; row: ShipmentRow; isLead: boolean };

/** A list as it is drawn: its lines, its rows, and their ids. */
export type ListLines = { items: readonly ListItem[]; rows: readonly ShipmentRow[]; order: readonly string[] };

/** The lines of the list, top to bottom; what several lists gave stands once, where it came first. */
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
  const ahead = items.length;
  for (const page of pages) for (const row of page.rows) add(row, false);
  if (hasLead && items.length > ahead)
    items.splice(ahead, 0, { kind: 'group', key: 'rest', title: 'rest', hasMore: false });
  return { items, rows, order };
}

/**
 * Pages with what the feed told since they were read: rows renewed where they stand, never by an older version, never moved. A row that the
 * list would not give any more stays; whoever shows it asks `planMatches`. `changed` names the rows that are newer now.
 */
export function mergeRows(
  pages: readonly ListPage[],
  plan: ListPlan,
  news: readonly ShipmentRow[],
): { pages: readonly ListPage[]; changed: string[] } {
  const newest = new Map<string, ShipmentRow>();
  for (const row of news) if (row.version >= (newest.get(row.id)?.version ?? 0)) newest.set(row.id, row);
  const changed = new Set<string>();
  const held = new Set<string>();
  const renew = (row: ShipmentRow): ShipmentRow => {
    const later = newest.get(row.id);
    if (later === undefined) return row;
    held.add(row.id);
    if (later.version <= row.version) return row;
    changed.add(row.id);
    // The feed does not name exceptions: the ones that are known stay while any is open.
    return later.exceptions === null ? { ...later, exceptions: row.exceptions?.length ? row.exceptions : null } : later;
  };
  const merged = pages.map((page): ListPage => {
    const lead = page.lead.map(renew);
    const rows = page.rows.map(renew);
    const isSame =
      lead.every((row, index) => row === page.lead[index]) && rows.every((row, index) => row === page.rows[index]);
    return isSame ? page : { ...page, lead, rows };
  });
  const [first, ...others] = merged;
  if (first === undefined) return { pages, changed: [] };
  const arrived = arrivedAfter(first.arrived, { newest, held, plan });
  return { pages: arrived === first.arrived ? merged : [{ ...first, arrived }, ...others], changed: [...changed] };
}

/** Those that are waiting already, without the ones that went again, and the new ones; the same array where nothing changed. */
function arrivedAfter(
  before: readonly string[],
  { newest, held, plan }: { newest: ReadonlyMap<string, ShipmentRow>; held: ReadonlySet<string>; plan: ListPlan },
): readonly string[] {
  const after = new Set(before);
  for (const row of newest.values()) {
    if (held.has(row.id)) continue;
    if (planMatches(plan, row) === 'yes') after.add(row.id);
    else after.delete(row.id);
  }
  return after.size === before.length && before.every((id) => after.has(id)) ? before : [...after];
}
