import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WireSavedView } from '#shared/contract/alerts/view-wire.ts';
import type { InputOf } from '#shared/contract/operations.ts';
import { isSearchable } from '#shared/domain/lists/short-words.ts';
import { call, chosen } from '../../../api/call.ts';
import { useAccount } from '../../session/use-session.ts';
import { baseOf, viewFilter } from '../list-plan.ts';
import { type ListSearch, readListSearch, writeListSearch } from '../list-search.ts';

/** A view of the account, or of this member. */
export type SavedView = WireSavedView;
type NewView = InputOf<'saveView'>['body'];

export const maxNameChars = 60;
const noViews: readonly SavedView[] = [];

/**
 * Returns the part of a list that a view saves. `filter` null: it depends on the day, so that no alert can follow it.
 */
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

export function isSameView(saved: Pick<SavedView, 'search'>, search: ListSearch): boolean {
  const written = writeListSearch({ ...search, peek: null });
  const names = new Set([...Object.keys(written), ...Object.keys(saved.search)]);
  return [...names].every((name) => written[name] === saved.search[name]);
}

export function savedViewsQuery(accountId: string) {
  return queryOptions({
    queryKey: ['saved-views', accountId, chosen.mode],
    queryFn: async ({ signal }) => {
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
