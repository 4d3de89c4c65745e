import type { ReactNode } from 'react';
import { PageHead } from '../../parts/page-head.tsx';

type Props = {
  title: string;
  count?: ReactNode;
  /** What can be done, in the head. */
  actions?: ReactNode;
  /** A panel that pushes the section aside; where there is no room for both it takes its place. */
  panel?: ReactNode;
  children: ReactNode;
};

export function SectionFrame({ title, count, actions, panel, children }: Props) {
  return (
    <>
      <div className={`min-h-0 min-w-0 flex-1 overflow-y-auto print:overflow-visible ${panel ? 'max-xl:hidden' : ''}`}>
        <PageHead title={title} count={count}>
          {actions}
        </PageHead>
        {children}
      </div>
      {panel}
    </>
  );
}
