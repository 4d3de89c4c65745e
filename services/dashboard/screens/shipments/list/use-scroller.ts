import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';

const places = new Map<string, number>();
const mostPlaces = 50;

/** Where a list was left, in px, so that coming back to it begins there; a list that is asked for anew begins on top. */
export function usePlace(list: string, scroller: RefObject<HTMLDivElement | null>): number {
  useEffect(() => {
    const scrolled = scroller.current;
    if (scrolled === null) return;
    const remember = () => {
      places.delete(list);
      places.set(list, scrolled.scrollTop);
      const [oldest] = places.keys();
      if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest);
    };
    scrolled.addEventListener('scroll', remember, { passive: true });
    return () => scrolled.removeEventListener('scroll', remember);
  }, [list, scroller]);
  const startAt = places.get(list) ?? 0;
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ top: places.get(list) ?? 0 });
  }, [list, scroller]);
  return startAt;
}

const unknownWidth = 1024;

/** The width of an element in px, as it changes. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(unknownWidth);
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
