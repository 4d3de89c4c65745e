import { type RefObject, useEffect, useLayoutEffect } from 'react';

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
