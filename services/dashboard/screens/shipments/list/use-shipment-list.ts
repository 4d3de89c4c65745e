import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../../api/call.ts';
import { isOfShipment, onChanges } from '../../../api/change-feed.ts';
import type { RowExtra } from '../column-table.ts';
import type { Filter, ListPlan } from '../list-plan.ts';
import { rowOf } from '../shipment-row.ts';
import { markChanged } from './changed-rows.ts';
import { type ListPage, mergeRows, type PageParam } from './list-pages.ts';
import { type RowChange, rowChangeOf } from './row-before.ts';

const pageSize = 100;
/** Rows of each lead list. */
const leadSize = 50;
const cacheMs = 10 * 60_000;
/** Each merge draws the list again: of 20,000 rows, that takes a frame. */
const mergeEveryMs = 250;
const name = 'shipments';

type Pages = InfiniteData<ListPage, PageParam>;

/** The list of a plan, page by page. Pages are loaded once, then the feed updates their rows. */
export function useShipmentList(plan: ListPlan, extras: readonly RowExtra[]) {
  const client = useQueryClient();
  useEffect(() => keepListsCurrent(client), [client]);
  return useInfiniteQuery({
    queryKey: [name, plan, extras] as const,
    queryFn: ({ pageParam, signal }) => readPage({ plan, extras }, pageParam, signal),
    // Another column: the rows stay while they are read again.
    placeholderData: (before, query) =>
      JSON.stringify(query?.queryKey[1]) === JSON.stringify(plan) ? before : undefined,
    initialPageParam: { link: 0, cursor: null } as PageParam,
    getNextPageParam: (page: ListPage) => page.next,
    // A list can have 1,000 pages: they are not refetched on focus, and not compared structurally.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: cacheMs,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    structuralSharing: false,
  });
}

type Wanted = { plan: ListPlan; extras: readonly RowExtra[] };

async function readPage({ plan, extras }: Wanted, { link, cursor }: PageParam, signal: AbortSignal): Promise<ListPage> {
  const isFirst = link === 0 && cursor === null;
  const [page, ...leads] = await Promise.all([
    readList(plan.chain[link] ?? {}, { cursor, limit: pageSize, extras }, signal),
    ...(isFirst ? plan.leads.map((filter) => readList(filter, { cursor: null, limit: leadSize, extras }, signal)) : []),
  ]);
  const following = link + 1 < plan.chain.length ? { link: link + 1, cursor: null } : null;
  return {
    lead: leads.flatMap(({ rows }) => rows),
    leadHasMore: leads.some((lead) => lead.cursor !== null),
    rows: page.rows,
    next: page.cursor === null ? following : { link, cursor: page.cursor },
    arrived: [],
  };
}

async function readList(
  filter: Filter,
  { cursor, limit, extras }: { cursor: string | null; limit: number; extras: readonly RowExtra[] },
  signal: AbortSignal,
) {
  const { data, page } = await call(
    'listShipments',
    { query: { ...filter, include: ['exceptions', ...extras], limit, ...(cursor === null ? {} : { cursor }) } },
    { signal },
  );
  return {
    rows: data.map((summary) => rowOf(summary as Parameters<typeof rowOf>[0])),
    cursor: page.has_more ? page.next_cursor : null,
  };
}

const subscribed = new WeakSet<QueryClient>();

/** Subscribes once per client: cached lists that are not on screen stay current too. */
function keepListsCurrent(client: QueryClient): void {
  if (subscribed.has(client)) return;
  subscribed.add(client);
  let waiting: RowChange[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  const apply = () => {
    const updates = waiting;
    waiting = [];
    timer = null;
    for (const [key, data] of client.getQueriesData<Pages>({ queryKey: [name] })) {
      if (data === undefined) continue;
      const { pages, changed } = mergeRows(data.pages, key[1] as ListPlan, updates);
      markChanged(changed);
      if (pages !== data.pages) client.setQueryData<Pages>(key, { ...data, pages: [...pages] });
    }
  };
  onChanges(({ changes, gap }) => {
    if (gap) {
      waiting = [];
      client.resetQueries({ queryKey: [name] });
      return;
    }
    waiting.push(...changes.filter(isOfShipment).map(rowChangeOf));
    if (timer === null && waiting.length > 0) timer = setTimeout(apply, mergeEveryMs);
  });
}
