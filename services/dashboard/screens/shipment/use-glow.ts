import { type RefObject, useEffect, useRef } from 'react';

const glow = 'animate-changed';

/** Glows once when the value differs from the one before; never at first. */
export function useGlow<Of extends HTMLElement>(value: unknown): RefObject<Of | null> {
  const ref = useRef<Of>(null);
  const seen = useRef(JSON.stringify(value));
  const text = JSON.stringify(value);
  useEffect(() => {
    if (seen.current === text) return;
    seen.current = text;
    const element = ref.current;
    element?.classList.remove(glow);
    // Asking for the width ends the animation that may still run, so that it begins anew.
    void element?.offsetWidth;
    element?.classList.add(glow);
  }, [text]);
  return ref;
}
