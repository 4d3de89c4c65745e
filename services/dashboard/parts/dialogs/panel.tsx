import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from '../button.tsx';

type Props = {
  /** `side`: 520 px beside a section, or in its place on a narrow screen. `preview`: 344 px beside a list. */
  kind?: 'side' | 'preview';
  title: ReactNode;
  /** In front of the title. */
  mark?: ReactNode;
  /** Between the title and the close button. */
  actions?: ReactNode;
  /** Replaces the close button: the panel stays open until something is confirmed. */
  stays?: ReactNode;
  close: () => void;
  /** Behavior of a preview on a narrow screen. */
  narrow?: 'covers the page' | 'covers the list';
  label?: string;
  footer?: ReactNode;
  children?: ReactNode;
};

const frameClasses = {
  side: 'w-[520px] border-line2 max-xl:w-auto max-xl:flex-1 max-md:border-l-0',
  preview: 'w-[344px] border-line bg-bg print:hidden',
};
const narrowClasses = {
  'covers the page': 'max-lg:fixed max-lg:inset-0 max-lg:z-30 max-lg:w-auto max-lg:border-l-0',
  'covers the list': 'max-lg:absolute max-lg:inset-y-0 max-lg:right-0 max-lg:z-20 max-sm:hidden',
};

/**
 * A panel beside its page. A side panel takes the focus; a preview leaves it in the list while both are visible. Escape
 * closes either, and the focus returns to where it was.
 */
export function Panel({ kind = 'side', title, mark, actions, stays, close, narrow, label, footer, children }: Props) {
  const id = useId();
  const ref = useRef<HTMLElement>(null);
  usePanelFocus(ref, kind === 'side' ? 'always' : narrow === 'covers the page' ? 'when narrow' : 'never');
  useEscape(ref, stays === undefined ? close : null);
  const isSide = kind === 'side';
  return (
    <aside
      ref={ref}
      tabIndex={-1}
      data-side-panel=""
      {...(label === undefined ? { 'aria-labelledby': id } : { 'aria-label': label })}
      className={`flex min-h-0 shrink-0 flex-col border-l outline-none ${frameClasses[kind]} ${narrow === undefined ? '' : narrowClasses[narrow]}`}
    >
      {/* A panel that replaces the section replaces its heading too. */}
      {isSide && <h1 className="sr-only xl:hidden">Platform configuration</h1>}
      <header
        className={`flex min-h-[52px] shrink-0 items-center gap-2 border-line border-b py-2 ${isSide ? 'px-5' : 'px-4'}`}
      >
        {mark}
        <h2 id={id} className="min-w-0 truncate text-title font-semibold tracking-[-0.01em]">
          {title}
        </h2>
        <span className="ml-auto flex shrink-0 items-center gap-1.5 text-label text-t3">
          {actions}
          {stays ?? <IconButton icon="close" label="Close" onClick={close} />}
        </span>
      </header>
      {/* Scrollable by keyboard even when nothing in it takes the focus, as in a preview. */}
      <div tabIndex={isSide ? undefined : 0} className="min-h-0 flex-1 overflow-y-auto">
        {children}
      </div>
      {footer && (
        <footer className="flex min-h-[56px] shrink-0 flex-wrap items-center gap-2 border-line border-t px-5 py-3">
          {footer}
        </footer>
      )}
    </aside>
  );
}

/** The element that opened the open panel: a panel that replaces another returns the focus to the same element. */
let opener: Element | null = null;

function usePanelFocus(ref: RefObject<HTMLElement | null>, takesFocus: 'always' | 'when narrow' | 'never'): void {
  // Read during the first render: a field inside takes the focus before any effect runs.
  const [before] = useState(() => {
    const active = document.activeElement;
    return active?.closest('[data-side-panel]') ? opener : active;
  });
  useEffect(() => {
    const isNarrow = window.matchMedia('(max-width: 63.99rem)').matches;
    const takes = takesFocus === 'always' || (takesFocus === 'when narrow' && isNarrow);
    if (takes && !ref.current?.contains(document.activeElement)) ref.current?.focus();
    opener = before;
    return () => returnFocus(before);
  }, [ref, before, takesFocus]);
}

function useEscape(ref: RefObject<HTMLElement | null>, close: (() => void) | null): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || latest.current === null) return;
      const target = event.target instanceof Element ? event.target : null;
      const isOurs = ref.current?.contains(target) === true;
      // A dialog, a menu or a search field takes its own Escape.
      if (!isOurs && target?.closest('[role=dialog], [role=alertdialog], [role=menu], [role=listbox], input') != null)
        return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [ref]);
}

/**
 * Returns the focus to `before`, or to the page when that element is gone. Deferred until the page is rendered again:
 * the button that opened a panel is disabled, and so cannot be focused, while the panel is open.
 */
export function returnFocus(before: Element | null): void {
  setTimeout(() => {
    if (document.activeElement !== document.body || document.querySelector('[data-side-panel]') !== null) return;
    if (before instanceof HTMLElement && before !== document.body) before.focus();
    if (document.activeElement === document.body) document.querySelector('main')?.focus();
  });
}
