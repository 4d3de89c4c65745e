import { useStored } from '../../../parts/hooks/use-stored.ts';
import { useAccount } from '../../session/use-session.ts';
import { type ListSearch, readListSearch, writeListSearch } from '../list-search.ts';

/** A named list, stored in this browser per account. `search` is its URL. */
export type SavedView = { name: string; search: Record<string, string> };

const maxViews = 50;
export const maxNameChars = 60;

/** Adds a view. It replaces one of the same name. */
export function withSaved(views: readonly SavedView[], saved: SavedView): SavedView[] {
  return [...views.filter(({ name }) => name !== saved.name), saved].slice(-maxViews);
}

/** Reads stored views. Invalid views and values are dropped. */
export function parseViews(stored: unknown): SavedView[] {
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
        name: one.name.slice(0, maxNameChars),
        search: writeListSearch({ ...readListSearch(search as Record<string, unknown>), peek: null }),
      },
    ];
  });
}

export function isSameView(saved: SavedView, search: ListSearch): boolean {
  const written = writeListSearch({ ...search, peek: null });
  const names = new Set([...Object.keys(written), ...Object.keys(saved.search)]);
  return [...names].every((name) => written[name] === saved.search[name]);
}

/** The saved views of this account. */
export function useSavedViews(): {
  views: readonly SavedView[];
  save: (name: string, search: ListSearch) => void;
  remove: (name: string) => void;
} {
  const { id } = useAccount();
  const [views, setViews] = useStored(`landfall.views.${id}`, parseViews);
  return {
    views,
    save: (name, search) => setViews(withSaved(views, { name, search: writeListSearch({ ...search, peek: null }) })),
    remove: (name) => setViews(views.filter((saved) => saved.name !== name)),
  };
}
