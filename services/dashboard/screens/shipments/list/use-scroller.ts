import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';

const positions = new Map<string, number>();
const maxPositions = 50;

/** The scroll position at which a list was left, in px, restored when the user returns to it. */
export function useScrollPosition(list: string, scroller: RefObject<HTMLDivElement | null>): number {
  useEffect(() => {
    const scrolled = scroller.current;
    if (scrolled === null) return;
    const remember = () => {
      positions.delete(list);
      positions.set(list, scrolled.scrollTop);
      const [oldest] = positions.keys();
      if (positions.size > maxPositions && oldest !== undefined) positions.delete(oldest);
    };
    scrolled.addEventListener('scroll', remember, { passive: true });
    return () => scrolled.removeEventListener('scroll', remember);
  }, [list, scroller]);
  const startAt = positions.get(list) ?? 0;
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: positions.get(list) ?? 0 });
  }, [list, scroller]);
  return startAt;
}

const initialWidth = 1024;

/** The current width of an element in px. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(initialWidth);
  useLayoutEffect(() => {
    const watched = element.current;
    if (watched === null) return;
    setWidth(watched.clientWidth);
    const observer = new ResizeObserver(() => setWidth(watched.clientWidth));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

const query = typeof window === 'undefined' ? null : window.matchMedia('print');

/** True while the page is being printed. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query?.addEventListener('change', listener);
      return () => query?.removeEventListener('change', listener);
    },
    () => query?.matches ?? false,
  );
}
