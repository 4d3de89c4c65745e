import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useNow } from '../../../parts/use-now.ts';
import type { ListPlan } from '../list-plan.ts';
import type { Selection } from '../selection/selection.ts';
import { type ColumnKey, columns, columnsOnPaper, columnsThatFit, gridOf } from './columns.ts';
import { GroupLine } from './group-line.tsx';
import type { ListItem } from './list-pages.ts';
import { planMatches } from './row-matches.ts';
import { ShipmentCard, ShipmentLine } from './shipment-line.tsx';
import { TableHead } from './table-head.tsx';
import { useWidth } from './use-scroller.ts';

const [lineHeight, cardHeight, groupHeight] = [32, 82, 32];
const phoneWidth = 640;
const overscan = 12;
/** The next page is asked for while so many lines are still ahead. */
const ahead = 40;

export type TableProps = {
  items: readonly ListItem[];
  /** The ids of its rows. */
  order: readonly string[];
  plan: ListPlan;
  chosenColumns: readonly ColumnKey[];
  setColumns: (columns: readonly ColumnKey[]) => void;
  active: string | null;
  selection: Selection;
  select: (id: string, isRange: boolean) => void;
  selectAll: () => void;
  activate: (id: string) => void;
  /** Asks for the next page; absent when there is none, or it is under way. */
  more?: (() => void) | undefined;
  hasMore: boolean;
  /** The count of everything in the list, where it is known. */
  counts: { needs: number | null; rest: number | null };
  sortWords: string;
  /** Prints every line that was read, not only those in sight. */
  isPrinting: boolean;
  scroller: RefObject<HTMLDivElement | null>;
  /** Where the list was left. */
  startAt: number;
};

/** The list: a grid that holds the lines in sight, of as many as there are. */
export function ShipmentTable(props: TableProps) {
  const {
    items,
    order,
    plan,
    chosenColumns,
    active,
    selection,
    select,
    activate,
    more,
    hasMore,
    isPrinting,
    scroller,
    startAt,
  } = props;
  const now = useNow();
  const width = useWidth(scroller);
  const isPhone = width < phoneWidth && !isPrinting;
  const shown = useMemo(
    () => (isPrinting ? columnsOnPaper(chosenColumns) : columnsThatFit(chosenColumns, width)),
    [chosenColumns, width, isPrinting],
  );
  const head = isPhone ? 0 : lineHeight;
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]?.kind === 'group' ? groupHeight : isPhone ? cardHeight : lineHeight),
    getItemKey: (index) => items[index]?.key ?? index,
    overscan,
    scrollMargin: head,
    scrollPaddingStart: head,
    initialOffset: startAt,
  });
  const lines = virtualizer.getVirtualItems();
  const last = lines.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more !== undefined && last >= items.length - ahead) more();
  }, [more, last, items.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights are measured anew.
  useEffect(() => virtualizer.measure(), [isPhone]);
  useShown(active, { items, scrollTo: (index) => virtualizer.scrollToIndex(index), scroller });

  const firstRow = order[0];
  const Line = isPhone ? ShipmentCard : ShipmentLine;
  const draw = (item: ListItem, index: number) =>
    item.kind === 'group' ? (
      <GroupLine
        title={item.title}
        index={index + 2}
        count={item.title === 'needs' ? props.counts.needs : props.counts.rest}
        sortWords={props.sortWords}
        hasMore={item.hasMore}
      />
    ) : (
      <Line
        row={item.row}
        index={index + 2}
        now={now}
        columns={shown}
        hasLeft={planMatches(plan, item.row) === 'no'}
        isActive={item.key === active}
        isFocusable={item.key === (active ?? firstRow)}
        isSelected={selection.ids.has(item.key)}
        select={select}
        activate={activate}
      />
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot leave out what is not in sight.
    <div
      role="grid"
      aria-label="Shipments"
      aria-multiselectable="true"
      aria-rowcount={hasMore ? -1 : items.length + 1}
      aria-colcount={isPhone ? 2 : shown.length}
      data-selecting={selection.ids.size > 0}
      className="group/list"
      style={{ ['--columns' as string]: gridOf(shown) }}
    >
      <TableHead
        isHidden={isPhone}
        chosen={chosenColumns}
        setColumns={props.setColumns}
        names={columns.filter(({ key }) => shown.includes(key))}
        isAllSelected={order.length > 0 && selection.ids.size >= order.length}
        isAnySelected={selection.ids.size > 0}
        selectAll={props.selectAll}
        selectAllWords={`Select ${hasMore ? 'the' : 'all'} ${order.length.toLocaleString('en')}${hasMore ? ' read so far' : ''}`}
      />
      {isPrinting ? (
        items.slice(0, mostPrinted).map((item, index) => <div key={item.key}>{draw(item, index)}</div>)
      ) : (
        <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {lines.map((line) => {
            const item = items[line.index];
            if (item === undefined) return null;
            return (
              <div
                key={line.key}
                role="presentation"
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${line.start - head}px)` }}
              >
                {draw(item, line.index)}
              </div>
            );
          })}
        </div>
      )}
    </div>
  );
}

export const mostPrinted = 2000;

/** Brings the active row into sight, and the focus to it where the list has the focus already. */
function useShown(
  active: string | null,
  {
    items,
    scrollTo,
    scroller,
  }: { items: readonly ListItem[]; scrollTo: (index: number) => void; scroller: RefObject<HTMLDivElement | null> },
): void {
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (active === null || shown.current === active) return;
    const index = items.findIndex(({ key }) => key === active);
    if (index === -1) return;
    shown.current = active;
    scrollTo(index);
    const focus = () =>
      scroller.current?.querySelector<HTMLElement>(`[data-row="${active}"]`)?.focus({ preventScroll: true });
    const held = document.activeElement;
    if (held === document.body || scroller.current?.contains(held)) requestAnimationFrame(focus);
  }, [active, items, scrollTo, scroller]);
}
