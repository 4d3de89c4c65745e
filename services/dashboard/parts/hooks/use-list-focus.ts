import { useRef } from 'react';

type Closing = { reason: string };

/**
 * Moves the focus to the list when one of its menus closes, so that Space previews a row instead of opening the menu
 * again. Escape returns the focus to the menu's button, as does a page without a list.
 */
export function useListFocus() {
  const reason = useRef('');
  return {
    noteReason: (isOpen: boolean, { reason: why }: Closing) => {
      if (!isOpen) reason.current = why;
    },
    finalFocus: () => {
      if (reason.current === 'escape-key') return true;
      const list = document.querySelector<HTMLElement>('[data-list-focus]');
      if (list === null) return true;
      const row = list.querySelector<HTMLElement>('[data-row][tabindex="0"]');
      // Of an element that takes no Tab, the menu would focus the first button inside.
      if (row === null) list.focus({ preventScroll: true });
      return row ?? false;
    },
  };
}
