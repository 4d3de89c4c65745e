import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Screen } from './screens.ts';

type Keys = { openPalette: () => void; openKeys: () => void; screens: readonly Screen[] };

/** The second of two keys counts so long. */
const togetherMs = 1200;

/** The keys that work everywhere, except where somebody writes: `/` and Ctrl-K, `?`, and `g` with a letter for each screen. */
export function useShellKeys(keys: Keys): void {
  const navigate = useNavigate();
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    let begunAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      const { openPalette, openKeys, screens } = latest.current;
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey) {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing || isTaken(event.target)) return;
      const isSecond = event.timeStamp - begunAt < togetherMs;
      begunAt = Number.NEGATIVE_INFINITY;
      const screen = isSecond ? screens.find((one) => one.keys === `g ${event.key}`) : undefined;
      if (screen !== undefined) navigate({ to: screen.to });
      else if (event.key === 'g') begunAt = event.timeStamp;
      else if (event.key === '/') openPalette();
      else if (event.key === '?') openKeys();
      else return;
      event.preventDefault();
      // `g c` is no `c`.
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [navigate]);
}

/** Somebody writes there, or chooses from something that is open. */
function isTaken(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]') !== null
  );
}
