import { useEffect } from 'react';

/** Revoking and undoing it take each other's place, and so the focus away: it goes to the one that came, or to the panel when none did. */
export function useRevokeFocus(isRevoking: boolean, hasEnded = false): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what takes the buttons away
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    const panel = document.querySelector<HTMLElement>('[data-side-panel]');
    (panel?.querySelector<HTMLElement>('[data-revoke] button') ?? panel)?.focus();
  }, [isRevoking, hasEnded]);
}
