import { useEffect, useRef } from 'react';
import { isTaken } from '../../../parts/hooks/use-screen-keys.ts';

export type ListKeys = {
  move: (by: number) => void;
  select: (isRange: boolean) => void;
  preview: () => void;
  open: () => void;
  /** Closes the preview, else clears the selection. */
  leave: () => void;
};

/** The keys of the list. They work with any focus except in text fields, menus and dialogs. */
export function useListKeys(keys: ListKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      // A focused button or link keeps its own keys.
      const isOnControl =
        target?.closest('a, button, [role=checkbox]') !== null &&
        target?.closest('a, button, [role=checkbox]') !== undefined;
      const run = actionOf(event, latest.current, isOnControl);
      if (run === null) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

const page = 15;

function actionOf({ key, shiftKey }: KeyboardEvent, keys: ListKeys, isOnControl: boolean): (() => void) | null {
  switch (key) {
    case 'j':
      return () => keys.move(1);
    case 'k':
      return () => keys.move(-1);
    case 'x':
      return () => keys.select(false);
    case 'X':
      return () => keys.select(true);
    case 'Escape':
      return keys.leave;
  }
  if (isOnControl) return null;
  switch (key) {
    case 'ArrowDown':
      return () => keys.move(1);
    case 'ArrowUp':
      return () => keys.move(-1);
    case 'PageDown':
      return () => keys.move(page);
    case 'PageUp':
      return () => keys.move(-page);
    case ' ':
      return shiftKey ? null : keys.preview;
    case 'Enter':
      return keys.open;
    default:
      return null;
  }
}
