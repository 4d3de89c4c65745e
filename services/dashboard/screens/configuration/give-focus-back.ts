/**
 * Gives the focus back to where it came from, or to the page when that is gone: once the page stands anew, for the button that opened a panel cannot be
 * pressed, and so not focused, while it is open.
 */
export function giveFocusBack(before: Element | null): void {
  setTimeout(() => {
    if (document.activeElement !== document.body || document.querySelector('[data-side-panel]') !== null) return;
    if (before instanceof HTMLElement && before !== document.body) before.focus();
    if (document.activeElement === document.body) document.querySelector('main')?.focus();
  });
}
