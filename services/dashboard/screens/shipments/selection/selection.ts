import { useEffect, useRef, useState } from 'react';
import { linesOf } from '../list/list-pages.ts';
import type { useShipmentList } from '../list/use-shipment-list.ts';

/** The selected ids, and the row at which a range starts. */
export type Selection = { ids: ReadonlySet<string>; anchor: string | null };

export const nothingSelected: Selection = { ids: new Set(), anchor: null };

/** Adds or removes one row. */
export function toggleOne({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** Selects the range from the last selected row to this one; without such a row only this one. */
export function selectTo({ ids, anchor }: Selection, id: string, order: readonly string[]): Selection {
  const [from, to] = [anchor === null ? -1 : order.indexOf(anchor), order.indexOf(id)];
  if (from === -1 || to === -1) return { ids: new Set([...ids, id]), anchor: id };
  return { ids: new Set([...ids, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)]), anchor };
}

/** Selects all rows, or none if all are selected. */
export function toggleAll({ ids, anchor }: Selection, order: readonly string[]): Selection {
  return order.every((id) => ids.has(id)) ? nothingSelected : { ids: new Set([...ids, ...order]), anchor };
}

/** Actions run shipment by shipment, so larger lists cannot be selected as a whole. */
const maxSelected = 5000;

export type WholeSelection = {
  /** Some rows are selected, all loaded rows, or all; or the rest is being loaded to be selected. */
  state: 'part' | 'loaded' | 'loading' | 'all';
  /** Loads the whole list and selects it; null when it is too long. */
  select: (() => void) | null;
  stop: () => void;
};

type Options = {
  list: ReturnType<typeof useShipmentList>;
  /** Identifies the list: another list stops the loading. */
  name: string;
  isGrouped: boolean;
  total: number | null;
  loaded: number;
  selected: number;
  setSelected: (order: readonly string[]) => void;
};

/** How much of the list is selected, and a way to select all of it. */
export function useWholeSelection({
  list,
  name,
  isGrouped,
  total,
  loaded,
  selected,
  setSelected,
}: Options): WholeSelection {
  const [isLoading, setLoading] = useState(false);
  const wanted = useRef<string | null>(null);
  const stop = () => {
    wanted.current = null;
    setLoading(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list stops the loading
  useEffect(() => stop, [name]);
  const select = async () => {
    wanted.current = name;
    setLoading(true);
    let result: Pick<typeof list, 'data' | 'hasNextPage' | 'isFetchNextPageError' | 'fetchNextPage'> = list;
    while (wanted.current === name && result.hasNextPage && !result.isFetchNextPageError)
      result = await result.fetchNextPage({ cancelRefetch: false });
    if (wanted.current !== name) return;
    stop();
    if (!result.hasNextPage) setSelected(linesOf(result.data?.pages ?? [], isGrouped).order);
  };
  const isAllLoaded = loaded > 0 && selected >= loaded;
  return {
    state: isLoading ? 'loading' : !isAllLoaded ? 'part' : list.hasNextPage ? 'loaded' : 'all',
    select: total !== null && total <= maxSelected ? select : null,
    stop,
  };
}
