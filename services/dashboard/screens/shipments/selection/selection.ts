import { useEffect, useRef, useState } from 'react';
import { linesOf } from '../list/list-pages.ts';
import type { useShipmentList } from '../list/use-shipment-list.ts';

/** What is selected, and the row that a range begins at. */
export type Selection = { ids: ReadonlySet<string>; anchor: string | null };

export const nothingSelected: Selection = { ids: new Set(), anchor: null };

/** One more, or one less. */
export function toggleOne({ ids }: Selection, id: string): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** Everything between the row that was selected last and this one, both included; without such a row this one alone. */
export function selectTo({ ids, anchor }: Selection, id: string, order: readonly string[]): Selection {
  const [from, to] = [anchor === null ? -1 : order.indexOf(anchor), order.indexOf(id)];
  if (from === -1 || to === -1) return { ids: new Set([...ids, id]), anchor: id };
  return { ids: new Set([...ids, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)]), anchor };
}

/** All of them, or none where all are. */
export function toggleAll({ ids, anchor }: Selection, order: readonly string[]): Selection {
  return order.every((id) => ids.has(id)) ? nothingSelected : { ids: new Set([...ids, ...order]), anchor };
}

/** Of more than this nothing is done one by one. */
const mostSelected = 5000;

export type WholeSelection = {
  /** What is selected of the list: some rows, all that were read, all there are; or the rest is being read to be selected. */
  state: 'part' | 'read so far' | 'reading' | 'all';
  /** Reads the list to its end and selects all of it; null where it is too long for that. */
  select: (() => void) | null;
  stop: () => void;
};

type Asked = {
  list: ReturnType<typeof useShipmentList>;
  /** Names the list: another one ends the reading. */
  name: string;
  isGrouped: boolean;
  total: number | null;
  read: number;
  selected: number;
  setSelected: (order: readonly string[]) => void;
};

/** How much of the list is selected, and the way to all of it. */
export function useWholeSelection({
  list,
  name,
  isGrouped,
  total,
  read,
  selected,
  setSelected,
}: Asked): WholeSelection {
  const [isReading, setReading] = useState(false);
  const wanted = useRef<string | null>(null);
  const stop = () => {
    wanted.current = null;
    setReading(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list, or none.
  useEffect(() => stop, [name]);
  const select = async () => {
    wanted.current = name;
    setReading(true);
    let result: Pick<typeof list, 'data' | 'hasNextPage' | 'isFetchNextPageError' | 'fetchNextPage'> = list;
    while (wanted.current === name && result.hasNextPage && !result.isFetchNextPageError)
      result = await result.fetchNextPage({ cancelRefetch: false });
    if (wanted.current !== name) return;
    stop();
    if (!result.hasNextPage) setSelected(linesOf(result.data?.pages ?? [], isGrouped).order);
  };
  const isAllRead = read > 0 && selected >= read;
  return {
    state: isReading ? 'reading' : !isAllRead ? 'part' : list.hasNextPage ? 'read so far' : 'all',
    select: total !== null && total <= mostSelected ? select : null,
    stop,
  };
}
