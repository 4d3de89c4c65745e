import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type ListSearch, readListSearch, writeListSearch } from './list-search.ts';

type Change = ListSearch | ((before: ListSearch) => ListSearch);

/** The state of the list in the URL. A change navigates. */
export function useListSearch(): {
  search: ListSearch;
  change: (next: Change, options?: { replace: boolean }) => void;
} {
  const raw = useSearch({ strict: false });
  const search = useMemo(() => readListSearch(raw as Record<string, unknown>), [raw]);
  const navigate = useNavigate();
  const change = useCallback(
    (next: Change, options: { replace: boolean } = { replace: false }) => {
      navigate({
        to: '/',
        search: (before: Record<string, unknown>) =>
          writeListSearch(typeof next === 'function' ? next(readListSearch(before)) : next),
        replace: options.replace,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return { search, change };
}
