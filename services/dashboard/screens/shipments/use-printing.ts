import { useSyncExternalStore } from 'react';

const query = typeof window === 'undefined' ? null : window.matchMedia('print');

/** Whether the page is being printed. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query?.addEventListener('change', listener);
      return () => query?.removeEventListener('change', listener);
    },
    () => query?.matches ?? false,
  );
}
