import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from './button.tsx';

type Props = {
  title: string;
  mark?: ReactNode;
  /** In place of the closing cross, for a panel that stays until something is confirmed. */
  stays?: ReactNode;
  close: () => void;
  footer?: ReactNode;
  children: ReactNode;
};

/** Beside the section, 520 wide, or in its place on a smaller screen. Escape closes it unless it stays. */
export function SidePanel({ title, mark, stays, close, footer, children }: Props) {
  const id = useId();
  const ref = useRef<HTMLElement>(null);
  // Asked while it is drawn first: a field inside takes the focus before any effect runs.
  const [before] = useState(openerOf);
  useEffect(() => {
    if (!ref.current?.contains(document.activeElement)) ref.current?.focus();
    opener = before;
    return () => giveFocusBack(before);
  }, [before]);
  return (
    <aside
      ref={ref}
      tabIndex={-1}
      data-side-panel=""
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && stays === undefined) close();
      }}
      className="flex min-h-0 w-[520px] shrink-0 flex-col border-line2 border-l outline-none max-xl:w-auto max-xl:flex-1 max-md:border-l-0"
    >
      {/* Where the panel takes the section's place, it takes its heading too. */}
      <h1 className="sr-only xl:hidden">Platform configuration</h1>
      <header className="flex min-h-[52px] shrink-0 items-center gap-2 border-line border-b px-5 py-2">
        {mark}
        <h2 id={id} className="min-w-0 truncate text-title font-semibold tracking-[-0.01em]">
          {title}
        </h2>
        <span className="ml-auto flex shrink-0 items-center gap-1.5 text-label text-t3">
          {stays ?? <IconButton icon="close" label="Close" onClick={close} />}
        </span>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
      {footer && (
        <footer className="flex min-h-[56px] shrink-0 flex-wrap items-center gap-2 border-line border-t px-5 py-3">
          {footer}
        </footer>
      )}
    </aside>
  );
}

/** What opened the panel that stands now: a panel that takes its place gives the focus back to the same. */
let opener: Element | null = null;

function openerOf(): Element | null {
  const active = document.activeElement;
  return active?.closest('[data-side-panel]') ? opener : active;
}

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
