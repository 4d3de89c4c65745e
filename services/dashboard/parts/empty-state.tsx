import type { ReactNode } from 'react';

type Props = {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** 1 where it is all there is on the page. */
  level?: 1 | 2;
};

/** Nothing to show: says why, and what to do about it. */
export function EmptyState({ title, children, action, level = 2 }: Props) {
  const Title = `h${level}` as const;
  return (
    <div className="mx-auto flex max-w-md flex-col items-start gap-2 px-4 py-16">
      <Title className="text-title font-semibold tracking-[-0.01em]">{title}</Title>
      {children && <div className="text-body text-t2">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
    </div>
  );
}
