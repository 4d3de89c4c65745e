import { type RefObject, useEffect, useRef, useState } from 'react';

/** The current size of an element in whole pixels; null until it is measured. */
export function useElementSize<Of extends HTMLElement>(): [
  RefObject<Of | null>,
  { width: number; height: number } | null,
] {
  const ref = useRef<Of>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
