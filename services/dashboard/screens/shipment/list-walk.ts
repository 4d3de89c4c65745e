import { queryClient } from '../../api/query-client.ts';

type Page = { lead?: readonly { id: string }[]; rows?: readonly { id: string }[]; next?: unknown };
type Pages = { pages: readonly Page[] };

export type Walk = { position: number; of: number; isAll: boolean; previous: string | null; next: string | null };

/** The position of a shipment in the most recent list that contains it; null when no cached list does. */
export function walkFrom(shipmentId: string): Walk | null {
  const lists = queryClient
    .getQueryCache()
    .findAll({ queryKey: ['shipments'] })
    .sort((left, right) => right.state.dataUpdatedAt - left.state.dataUpdatedAt);
  for (const { state } of lists) {
    const data = state.data as Pages | undefined;
    if (data?.pages === undefined) continue;
    const walk = walkIn(idsOf(data), shipmentId, data.pages.at(-1)?.next === null);
    if (walk !== null) return walk;
  }
  return null;
}

/** The neighbours of an id in a list. */
export function walkIn(ids: readonly string[], shipmentId: string, isAll: boolean): Walk | null {
  const index = ids.indexOf(shipmentId);
  if (index === -1) return null;
  return { position: index + 1, of: ids.length, isAll, previous: ids[index - 1] ?? null, next: ids[index + 1] ?? null };
}

function idsOf({ pages }: Pages): string[] {
  const leads = pages.flatMap(({ lead = [] }) => lead.map(({ id }) => id));
  return [...new Set([...leads, ...pages.flatMap(({ rows = [] }) => rows.map(({ id }) => id))])];
}
