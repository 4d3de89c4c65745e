import { type ReactNode, useEffect } from 'react';

/** Title, count and actions of a page. */
export function PageHead({ title, count, children }: { title: string; count?: ReactNode; children?: ReactNode }) {
  usePageTitle(title);
  return (
    <header className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-2">
      <h1 className="text-title font-semibold tracking-[-0.01em]">{title}</h1>
      {count !== undefined && <span className="text-body text-t3 tabular-nums">{count}</span>}
      {children && <div className="ml-auto flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  );
}

/** Sets the title of the browser tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Landfall`;
  }, [title]);
}
