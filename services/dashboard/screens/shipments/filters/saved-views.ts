import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WireSavedView } from '#shared/contract/alerts/view-wire.ts';
import type { InputOf } from '#shared/contract/operations.ts';
import { isSearchable } from '#shared/domain/shipments/short-words.ts';
import { call, chosen } from '../../../api/call.ts';
import { useAccount } from '../../session/use-session.ts';
import { baseOf, viewFilter } from '../list-plan.ts';
import { type ListSearch, readListSearch, writeListSearch } from '../list-search.ts';

/** A view of the account, or of this member. */
export type SavedView = WireSavedView;
type NewView = InputOf<'saveView'>['body'];

export const maxNameChars = 60;
const noViews: readonly SavedView[] = [];

/** What is saved of a list. `filter` null: it depends on the day, so that no alert can follow it. */
export function toSavedList(search: ListSearch): Pick<NewView, 'search' | 'filter' | 'sort'> {
  const written = writeListSearch({ ...search, peek: null });
  return { search: written, filter: filterOf(search), sort: search.sort };
}

function filterOf(search: ListSearch): NewView['filter'] {
  if (search.view === 'arriving') return null;
  if (search.numbers.length > 0) return { ...baseOf(search), identifier: [...search.numbers] };
  // Only arriving reads the day.
  const filter = viewFilter(search, '');
  return isSearchable(search.q) ? { ...filter, q: search.q } : filter;
}

/** Reads views that an earlier release kept in this browser. Invalid views and values are dropped. */
export function parseViews(stored: unknown): { name: string; search: ListSearch }[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one: unknown) => {
    if (
      typeof one !== 'object' ||
      one === null ||
      !('name' in one) ||
      typeof one.name !== 'string' ||
      one.name.trim() === ''
    )
      return [];
    const search = 'search' in one && typeof one.search === 'object' && one.search !== null ? one.search : {};
    return [
      {
        name: one.name.trim().slice(0, maxNameChars),
        search: { ...readListSearch(search as Record<string, unknown>), peek: null },
      },
    ];
  });
}

export function isSameView(saved: Pick<SavedView, 'search'>, search: ListSearch): boolean {
  const written = writeListSearch({ ...search, peek: null });
  const names = new Set([...Object.keys(written), ...Object.keys(saved.search)]);
  return [...names].every((name) => written[name] === saved.search[name]);
}

export function savedViewsQuery(accountId: string) {
  return queryOptions({
    queryKey: ['saved-views', accountId, chosen.mode],
    queryFn: async ({ signal }) => {
      await moveFromBrowser(accountId);
      const { data } = await call('listSavedViews', {}, { signal });
      // In the order of a URL that the list itself writes, and without what this release does not know.
      return data.map((view) => ({ ...view, search: writeListSearch(readListSearch(view.search)) }));
    },
    staleTime: 30_000,
  });
}

/** The saved views that this member sees, and how to change them. */
export function useSavedViews() {
  const { id } = useAccount();
  const query = savedViewsQuery(id);
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: query.queryKey });
  const save = useMutation({
    mutationFn: ({ name, shared, search }: { name: string; shared: boolean; search: ListSearch }) =>
      call('saveView', { body: { name, shared, ...toSavedList(search) } }),
    onSettled: refresh,
  });
  const share = useMutation({
    mutationFn: ({ id: viewId, shared }: { id: string; shared: boolean }) =>
      call('changeView', { params: { view_id: viewId }, body: { shared } }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (viewId: string) => call('deleteView', { params: { view_id: viewId } }),
    onSettled: refresh,
  });
  const { data, error } = useQuery(query);
  return { views: data ?? noViews, error, save, share, remove };
}

const storageKey = (accountId: string) => `landfall.views.${accountId}`;

/** Saves the views that an earlier release kept in this browser, once. One that can't be saved now stays for later. */
async function moveFromBrowser(accountId: string): Promise<void> {
  let stored: unknown;
  try {
    stored = JSON.parse(localStorage.getItem(storageKey(accountId)) ?? 'null');
  } catch {
    return;
  }
  const views = parseViews(stored);
  for (let moved = 0; moved < views.length; moved += 1) {
    const { name, search } = views[moved] as (typeof views)[number];
    try {
      await call('saveView', { body: { name, shared: false, ...toSavedList(search) } });
    } catch {
      return keep(accountId, views.slice(moved));
    }
  }
  if (stored !== null) keep(accountId, []);
}

function keep(accountId: string, views: readonly { name: string; search: ListSearch }[]): void {
  const key = storageKey(accountId);
  if (views.length === 0) {
    localStorage.removeItem(key);
    return;
  }
  localStorage.setItem(
    key,
    JSON.stringify(views.map(({ name, search }) => ({ name, search: writeListSearch(search) }))),
  );
}
