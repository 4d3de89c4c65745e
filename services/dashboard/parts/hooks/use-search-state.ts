import { useNavigate, useSearch } from '@tanstack/react-router';

/** One parameter of the URL. An empty value removes it; changes add no history entry. */
export function useSearchState(name: string): [string, (value: string) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const value = search[name];
  const set = (next: string) =>
    navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, [name]: next === '' ? undefined : next }),
      replace: true,
    } as never);
  return [typeof value === 'string' ? value : '', set];
}
