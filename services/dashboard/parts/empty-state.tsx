import type { ReactNode } from 'react';

/** Nothing to show: says why, and what to do about it. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-start gap-2 px-4 py-16">
      <h2 className="text-title font-semibold tracking-[-0.01em]">{title}</h2>
      {children && <div className="text-body text-t2">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
    </div>
  );
}
