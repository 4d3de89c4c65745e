import { useStored } from '../../parts/use-stored.ts';
import { useAccount } from '../session/use-session.ts';
import { type ListSearch, writeListSearch } from './list-search.ts';
import { parseViews, type SavedView, withSaved } from './saved-views.ts';

/** The saved lists of this account. */
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
