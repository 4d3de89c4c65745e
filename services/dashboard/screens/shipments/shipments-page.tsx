import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNow } from '../../parts/hooks/use-now.ts';
import { lazyPart } from '../../parts/lazy-parts.tsx';
import { usePageTitle } from '../../parts/page-head.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { useAccount } from '../session/use-session.ts';
import { extrasOf, useColumns } from './columns.ts';
import { ExportNote } from './export/export-note.tsx';
import { ActiveFilters } from './filters/active-filters.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { StageBar } from './filters/stage-bar.tsx';
import { FreeTimeNote } from './list/free-time-note.tsx';
import { ListFooter } from './list/list-footer.tsx';
import { linesOf } from './list/list-pages.ts';
import { ArrivedNote, EmptyAccount, EmptyList, ListSkeleton } from './list/list-states.tsx';
import { printedText, ShipmentTable } from './list/shipment-table.tsx';
import { useListCounts } from './list/use-list-counts.ts';
import { useListKeys } from './list/use-list-keys.ts';
import { useLoadAll } from './list/use-load-all.ts';
import { usePrinting, useScrollPosition } from './list/use-scroller.ts';
import { useShipmentList } from './list/use-shipment-list.ts';
import { dayOf, planOf } from './list-plan.ts';
import { isFiltered } from './list-search.ts';
import { sortNames } from './list-words.ts';
import { shownOverviewQuery } from './overview.ts';
import { LazyPreview, preloadPreview } from './preview/lazy-preview.tsx';
import { BulkStrip } from './selection/bulk-strip.tsx';
import { RowKeys } from './selection/row-keys.tsx';
import {
  isSelected,
  nothingSelected,
  type Selection,
  selectOnly,
  selectTo,
  selectWhole,
  toggleAll,
  toggleOne,
} from './selection/selection.ts';
import { SelectionBar } from './selection/selection-bar.tsx';
import { type BulkTarget, useBulk, usePageAction } from './selection/use-bulk.ts';
import { useListSearch } from './use-list-search.ts';

const PageActionDialog = lazyPart(async () => (await import('./selection/page-action-dialog.tsx')).PageActionDialog);

/** The list of shipments: what needs attention first, then everything else. */
export function ShipmentsPage() {
  usePageTitle('Shipments');
  const { search, change } = useListSearch();
  const today = dayOf(useNow());
  const planText = JSON.stringify(planOf(search, today));
  const plan = useMemo(() => JSON.parse(planText) as ReturnType<typeof planOf>, [planText]);
  const [columns, setColumns] = useColumns(search.view);
  const list = useShipmentList(plan, extrasOf(columns));
  const { data: overview } = useQuery(shownOverviewQuery);
  const counts = useListCounts(search, { overview, today });
  const canWrite = useAccount().role !== 'viewer';
  const bulk = useBulk();
  const pageAction = usePageAction();

  const pages = list.data?.pages;
  const { items, rows, order } = useMemo(() => linesOf(pages ?? [], plan.grouped), [pages, plan.grouped]);
  // A page that was loaded since may contain some of them.
  const arrived = useMemo(() => {
    const loaded = new Set(order);
    return (pages?.[0]?.arrived ?? []).filter((id) => !loaded.has(id)).length;
  }, [pages, order]);

  const [active, setActive] = useState<string | null>(search.peek);
  const [selection, setSelection] = useState<Selection>(nothingSelected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list starts without a selection
  useEffect(() => setSelection(nothingSelected), [planText]);
  const select = useCallback(
    (id: string, isRange: boolean) =>
      setSelection((before) => (isRange ? selectTo(before, id, order) : toggleOne(before, id, order))),
    [order],
  );
  const peek = useCallback(
    (id: string | null) => change((before) => ({ ...before, peek: id }), { replace: true }),
    [change],
  );
  const open = useOpen();
  const activate = useCallback(
    (id: string) => {
      setActive(id);
      if (window.matchMedia('(width < 640px)').matches) open(id);
      else peek(id);
    },
    [open, peek],
  );
  const total =
    counts.total === null
      ? null
      : `${Math.max(counts.total, rows.length).toLocaleString(numberLocale())}${counts.isBound ? '+' : ''}`;
  const clear = () => setSelection(nothingSelected);
  useListKeys({
    move: (by) => {
      const at = active === null ? -1 : order.indexOf(active);
      const next = order[at === -1 ? 0 : Math.min(order.length - 1, Math.max(0, at + by))];
      if (next === undefined) return;
      setActive(next);
      if (search.peek !== null) peek(next);
    },
    select: (isRange) => active !== null && select(active, isRange),
    preview: () => {
      const shown = active ?? order[0];
      if (shown === undefined) return;
      setActive(shown);
      peek(search.peek === shown ? null : shown);
    },
    open: () => active !== null && open(active),
    leave: () => (search.peek === null ? clear() : peek(null)),
  });

  const scroller = useRef<HTMLDivElement>(null);
  const startAt = useScrollPosition(planText, scroller);
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError, error } = list;
  const more = useCallback(() => fetchNextPage({ cancelRefetch: false }), [fetchNextPage]);
  const canLoad = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  const loadingAll = useLoadAll(planText, canLoad ? more : null);
  const selected = useMemo(() => rows.filter(({ id }) => isSelected(selection, id)), [rows, selection]);
  const targets = selected.length > 0 ? selected : rows.filter(({ id }) => id === active);
  const [isTagging, setTagging] = useState(false);
  const canSelectWhole = !selection.isWhole && hasNextPage && rows.length > 0 && selected.length === rows.length;
  const [wholeFilter] = plan.chain;
  const target: BulkTarget =
    selection.isWhole && wholeFilter !== undefined ? { filter: wholeFilter } : { ids: selected.map(({ id }) => id) };
  const isEmptyAccount =
    overview?.statuses.every(({ count }) => count === 0) === true && search.view !== 'archived' && !isFiltered(search);
  const isPrinting = usePrinting();
  const hasRows = rows.length > 0;
  useEffect(() => void (hasRows && preloadPreview()), [hasRows]);

  return (
    <div className="flex h-full flex-col print:block print:[page:list]">
      <h1 className="sr-only print:not-sr-only print:px-4 print:pb-2 print:font-semibold print:text-title">
        Shipments
        <span className="hidden font-normal text-t2 print:inline"> · {printedText(rows.length, counts.total)}</span>
      </h1>
      {!isEmptyAccount && (
        <>
          <StageBar
            counts={counts.statuses}
            isBound={counts.isBound}
            chosen={search.status}
            choose={(status) =>
              change({ ...search, status, view: search.view === 'needs' ? 'current' : search.view, peek: null })
            }
          />
          {selected.length === 0 ? (
            <FilterBar
              search={search}
              change={change}
              overview={overview}
              total={total}
              rows={rows}
              canWrite={canWrite}
            />
          ) : (
            <SelectionBar
              rows={selected}
              canWrite={canWrite}
              start={(action) => {
                bulk.start({ action, target });
                if (action.kind === 'archive' || action.kind === 'restore') clear();
              }}
              runHere={(action) => pageAction.start(action, selected)}
              clear={clear}
              search={search}
              total={total}
              isWhole={selection.isWhole}
              selectWhole={canSelectWhole ? () => setSelection(selectWhole(order)) : null}
              count={selection.isWhole ? (counts.isBound ? null : counts.total) : selected.length}
              isTagging={isTagging}
              setTagging={setTagging}
            />
          )}
        </>
      )}
      <ActiveFilters search={search} rows={rows} change={change} />
      {search.view === 'free_time' && <FreeTimeNote search={search} today={today} />}
      <ExportNote />
      <BulkStrip bulk={bulk} />
      {arrived > 0 && <ArrivedNote arrived={arrived} show={() => list.refetch()} />}
      <div className="relative flex min-h-0 flex-1 print:block">
        <div
          ref={scroller}
          tabIndex={-1}
          data-list-focus=""
          className="relative min-w-0 flex-1 overflow-y-auto overflow-x-hidden outline-none print:overflow-visible"
        >
          {list.isPending ? (
            <ListSkeleton />
          ) : pages === undefined ? (
            <ProblemNote error={error} retry={() => list.refetch()} className="p-4" />
          ) : isEmptyAccount ? (
            <EmptyAccount />
          ) : items.length === 0 && !hasNextPage ? (
            <EmptyList search={search} change={change} />
          ) : (
            <ShipmentTable
              items={items}
              order={order}
              plan={plan}
              chosenColumns={columns}
              setColumns={setColumns}
              active={active}
              selection={selection}
              select={select}
              selectAll={() => setSelection((before) => toggleAll(before, order))}
              activate={activate}
              more={canLoad ? more : undefined}
              hasMore={hasNextPage}
              counts={{
                needs: isFiltered(search) ? null : (overview?.needs_attention ?? null),
                rest: isFiltered(search) ? null : (overview?.rest ?? null),
              }}
              sortText={sortNames[search.sort].toLowerCase()}
              isPrinting={isPrinting}
              scroller={scroller}
              startAt={startAt}
            />
          )}
          {isFetchNextPageError && <ProblemNote error={error} retry={more} className="p-4" />}
        </div>
        {search.peek !== null && (
          <LazyPreview
            id={search.peek}
            row={rows.find(({ id }) => id === search.peek) ?? null}
            close={() => peek(null)}
          />
        )}
      </div>
      <ListFooter
        loaded={rows.length}
        total={total}
        hasMore={hasNextPage}
        isLoading={isFetchingNextPage}
        more={more}
        {...loadingAll}
      />
      <RowKeys
        rows={targets}
        canWrite={canWrite}
        start={(action, on) => bulk.start({ action, target: { ids: on.map(({ id }) => id) } })}
        tag={(tagged) => {
          setSelection((before) => (before.isWhole ? before : selectOnly(before, tagged)));
          setTagging(true);
        }}
      />
      {pageAction.running !== null && (
        <Suspense fallback={null}>
          <PageActionDialog
            running={pageAction.running}
            stop={pageAction.stop}
            dismiss={pageAction.dismiss}
            retry={pageAction.start}
          />
        </Suspense>
      )}
    </div>
  );
}

function useOpen(): (id: string) => void {
  const navigate = useNavigate();
  return useCallback((id) => navigate({ to: '/shipments/$shipmentId', params: { shipmentId: id } }), [navigate]);
}
