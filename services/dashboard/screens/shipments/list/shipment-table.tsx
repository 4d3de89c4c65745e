import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { numberLocale } from '../../../parts/words/locale.ts';
import { type ColumnKey, columns } from '../column-table.ts';
import { columnsInUse, columnsOnPaper, columnsThatFit, gridOf } from '../columns.ts';
import type { ListPlan } from '../list-plan.ts';
import { isSelected, type Selection } from '../selection/selection.ts';
import { GridCell, GridRow } from './grid.tsx';
import type { ListItem } from './list-pages.ts';
import { planMatches } from './row-matches.ts';
import { ShipmentCard, ShipmentLine } from './shipment-line.tsx';
import { TableHead } from './table-head.tsx';
import { useWidth } from './use-scroller.ts';

const [lineHeight, cardHeight, groupHeight] = [32, 82, 32];
const phoneWidth = 640;
const overscan = 12;
/** The next page is loaded when fewer lines than this remain. */
const minLinesAhead = 60;

type Props = {
  items: readonly ListItem[];
  /** The ids of the rows. */
  order: readonly string[];
  plan: ListPlan;
  chosenColumns: readonly ColumnKey[];
  /** Null: the list has its own columns. */
  setColumns: ((columns: readonly ColumnKey[]) => void) | null;
  active: string | null;
  selection: Selection;
  select: (id: string, isRange: boolean) => void;
  selectAll: () => void;
  activate: (id: string) => void;
  /** Loads the next page; absent when there is none or it is loading. */
  more?: (() => void) | undefined;
  hasMore: boolean;
  /** The numbers of shipments in the groups; null while unknown. */
  counts: { needs: number | null; rest: number | null };
  sortText: string;
  /** Renders all loaded lines, not only the visible ones. */
  isPrinting: boolean;
  scroller: RefObject<HTMLDivElement | null>;
  /** Initial scroll position in px. */
  startAt: number;
};

/** The list as a virtual grid: only visible lines are rendered. */
export function ShipmentTable(props: Props) {
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
  const shown = useMemo(() => {
    // A card shows no columns. The chosen ones say which list it is in.
    if (isPhone) return chosenColumns;
    const used = columnsInUse(chosenColumns, items);
    return isPrinting ? columnsOnPaper(used) : columnsThatFit(used, width);
  }, [chosenColumns, items, width, isPrinting, isPhone]);
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
    // Lines are drawn with the next frame, not within each scroll event.
    useFlushSync: false,
  });
  const lines = virtualizer.getVirtualItems();
  const last = lines.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more !== undefined && last >= items.length - minLinesAhead) more();
  }, [more, last, items.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights have to be measured again
  useEffect(() => virtualizer.measure(), [isPhone]);
  useScrollIntoView(active, { items, scrollTo: (index) => virtualizer.scrollToIndex(index), scroller });

  const firstRow = order[0];
  const Line = isPhone ? ShipmentCard : ShipmentLine;
  const draw = (item: ListItem, index: number) =>
    item.kind === 'group' ? (
      <GroupLine
        title={item.title}
        index={index + 2}
        count={item.title === 'needs' ? props.counts.needs : props.counts.rest}
        sortText={props.sortText}
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
        isSelected={isSelected(selection, item.key)}
        select={select}
        activate={activate}
      />
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a table element cannot be virtual
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
        heads={columns.filter(({ key }) => shown.includes(key))}
        isAllSelected={selection.isWhole || (order.length > 0 && selection.ids.size >= order.length)}
        isAnySelected={selection.ids.size > 0}
        selectAll={props.selectAll}
        selectAllLabel={`Select ${hasMore ? 'the' : 'all'} ${order.length.toLocaleString(numberLocale())}${hasMore ? ' loaded' : ''}`}
      />
      {isPrinting ? (
        items.slice(0, maxPrinted).map((item, index) => <div key={item.key}>{draw(item, index)}</div>)
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

const maxPrinted = 2000;

/** A printed list states how much of it is missing. */
export function printedText(loaded: number, total: number | null): string {
  const printed = Math.min(loaded, maxPrinted);
  return total === null || total <= printed
    ? `${printed}`
    : `the first ${printed.toLocaleString(numberLocale())} of ${total.toLocaleString(numberLocale())}`;
}

/** Scrolls the active row into view, and focuses it if the focus is in the list. */
function useScrollIntoView(
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

type GroupProps = { title: 'needs' | 'rest'; index: number; count: number | null; sortText: string; hasMore: boolean };

/** The heading of a group, with its count. */
function GroupLine({ title, index, count, sortText, hasMore }: GroupProps) {
  return (
    <GridRow index={index} className="h-8 border-line border-b bg-sunk">
      <GridCell className="flex h-8 items-center gap-2 px-4 text-label">
        <span className="font-semibold text-t1">
          {title === 'needs' ? 'Needs attention today' : `Everything else, ${sortText}`}
        </span>
        {count !== null && <span className="text-t3 tabular-nums">{count.toLocaleString(numberLocale())}</span>}
        {hasMore && (
          <Link
            to="/"
            search={(previous: Record<string, unknown>) => ({ ...previous, view: 'needs' })}
            className="ml-auto text-accent hover:underline"
          >
            Show all
          </Link>
        )}
      </GridCell>
    </GridRow>
  );
}
