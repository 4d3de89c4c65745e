import type { ReactNode } from 'react';

/** The place beside the list that a preview takes; empty while its code is on the way. */
export function PreviewFrame({ children }: { children?: ReactNode }) {
  return (
    <aside
      aria-label="Preview"
      className="flex w-[344px] shrink-0 flex-col overflow-y-auto border-line border-l bg-bg max-lg:absolute max-lg:inset-y-0 max-lg:right-0 max-lg:z-20 max-sm:hidden print:hidden *:shrink-0"
    >
      {children}
    </aside>
  );
}
