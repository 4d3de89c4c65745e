import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../../api/call.ts';
import { onNews } from '../../../api/change-feed.ts';
import type { Filter, ListPlan } from '../list-plan.ts';
import { rowOf } from '../shipment-row.ts';
import { markChanged } from './changed-rows.ts';
import { type ListPage, mergeRows, type PageParam } from './list-pages.ts';

const pageSize = 100;
/** Of each list that stands on top. */
const leadSize = 50;
const keptMs = 10 * 60_000;
const name = 'shipments';

type Pages = InfiniteData<ListPage, PageParam>;

/** The list of a plan, page by page. It is read once; from then on the feed keeps its rows current. */
export function useShipmentList(plan: ListPlan) {
  const client = useQueryClient();
  useEffect(() => keepListsCurrent(client), [client]);
  return useInfiniteQuery({
    queryKey: [name, plan] as const,
    queryFn: ({ pageParam, signal }) => readPage(plan, pageParam, signal),
    initialPageParam: { link: 0, cursor: null } as PageParam,
    getNextPageParam: (page: ListPage) => page.next,
    // A thousand pages are not asked for anew because a window came back, nor compared with one another.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    structuralSharing: false,
  });
}

async function readPage(plan: ListPlan, { link, cursor }: PageParam, signal: AbortSignal): Promise<ListPage> {
  const isFirst = link === 0 && cursor === null;
  const [page, ...leads] = await Promise.all([
    readList(plan.chain[link] ?? {}, { cursor, limit: pageSize }, signal),
    ...(isFirst ? plan.leads.map((filter) => readList(filter, { cursor: null, limit: leadSize }, signal)) : []),
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
  { cursor, limit }: { cursor: string | null; limit: number },
  signal: AbortSignal,
) {
  const { data, page } = await call(
    'listShipments',
    { query: { ...filter, include: ['exceptions'], limit, ...(cursor === null ? {} : { cursor }) } },
    { signal },
  );
  return {
    rows: data.map((summary) => rowOf(summary as Parameters<typeof rowOf>[0])),
    cursor: page.has_more ? page.next_cursor : null,
  };
}

const kept = new WeakSet<QueryClient>();

/** Once for good: lists of pages that are not open stay current too, so that coming back shows them where they were left. */
function keepListsCurrent(client: QueryClient): void {
  if (kept.has(client)) return;
  kept.add(client);
  onNews(({ changes, gap }) => {
    if (gap) {
      client.resetQueries({ queryKey: [name] });
      return;
    }
    const news = changes.map(({ data }) => rowOf(data.shipment));
    for (const [key, data] of client.getQueriesData<Pages>({ queryKey: [name] })) {
      if (data === undefined) continue;
      const { pages, changed } = mergeRows(data.pages, key[1] as ListPlan, news);
      markChanged(changed);
      client.setQueryData<Pages>(key, { ...data, pages: [...pages] });
    }
  });
}
