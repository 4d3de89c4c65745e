import { useEffect, useRef } from 'react';

const withOwnKeys =
  'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

/** True when the event belongs to a text field, an open dialog or a menu, or is a shortcut of the browser. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return true;
  return event.target instanceof HTMLElement && event.target.closest(withOwnKeys) !== null;
}

/**
 * Keys of a screen: letters, in lower case. They work with any focus except in text fields, menus and dialogs.
 * Undefined: the key does nothing now.
 */
export function useScreenKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const run = isTaken(event) ? undefined : latest.current[event.key];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
