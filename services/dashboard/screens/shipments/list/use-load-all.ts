import { useEffect, useState } from 'react';

/**
 * Loads the rest of a list page by page, so that its end and its middle can be scrolled to. Another list stops it. `more`
 * is null while a page is loading, after a failure, and at the end.
 */
export function useLoadAll(
  list: string,
  more: (() => void) | null,
): { isLoadingAll: boolean; setLoadingAll: (isWanted: boolean) => void } {
  const [wanted, setWanted] = useState<string | null>(null);
  const isLoadingAll = wanted === list;
  useEffect(() => {
    if (isLoadingAll) more?.();
  }, [isLoadingAll, more]);
  return { isLoadingAll, setLoadingAll: (isWanted) => setWanted(isWanted ? list : null) };
}
