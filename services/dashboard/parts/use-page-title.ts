import { useEffect } from 'react';

/** The title of the tab: the page, then the product. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Landfall`;
  }, [title]);
}
