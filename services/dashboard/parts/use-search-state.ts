import { useNavigate, useSearch } from '@tanstack/react-router';

/** One word of the address, for what somebody would share or come back to; empty is left out. Changing it makes no step to go back to. */
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
