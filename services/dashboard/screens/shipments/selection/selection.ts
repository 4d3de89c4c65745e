/**
 * The selected ids, and the row at which a range starts. `isWhole`: all shipments of the list, also those that are not
 * loaded; `ids` are the loaded ones.
 */
export type Selection = { ids: ReadonlySet<string>; anchor: string | null; isWhole: boolean };

export const nothingSelected: Selection = { ids: new Set(), anchor: null, isWhole: false };

export function isSelected({ ids, isWhole }: Selection, id: string): boolean {
  return isWhole || ids.has(id);
}

/** Adds or removes one row. Without it, a whole list becomes its loaded rows. */
export function toggleOne(before: Selection, id: string, order: readonly string[]): Selection {
  const next = new Set(before.isWhole ? order : before.ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id, isWhole: false };
}

/** Selects the range from the last selected row to this one; without such a row only this one. */
export function selectTo({ ids, anchor, isWhole }: Selection, id: string, order: readonly string[]): Selection {
  const [from, to] = [anchor === null ? -1 : order.indexOf(anchor), order.indexOf(id)];
  if (from === -1 || to === -1) return { ids: new Set([...ids, id]), anchor: id, isWhole };
  return { ids: new Set([...ids, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)]), anchor, isWhole };
}

/** Selects all rows, or none if all are selected. */
export function toggleAll({ ids, anchor, isWhole }: Selection, order: readonly string[]): Selection {
  if (isWhole || order.every((id) => ids.has(id))) return nothingSelected;
  return { ids: new Set([...ids, ...order]), anchor, isWhole: false };
}

/** Selects these rows alone. */
export function selectOnly({ anchor }: Selection, rows: readonly { id: string }[]): Selection {
  return { ids: new Set(rows.map(({ id }) => id)), anchor, isWhole: false };
}

/** Selects the list, however many of its rows are loaded. */
export function selectWhole(order: readonly string[]): Selection {
  return { ids: new Set(order), anchor: null, isWhole: true };
}

/** Maximum number of ids in one action. A whole list is named by its filter. */
export const maxSelected = 10_000;
