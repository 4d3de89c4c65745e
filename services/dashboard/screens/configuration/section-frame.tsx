import type { ReactNode } from 'react';
import { PageHead } from '../../parts/page-head.tsx';

type Props = {
  title: string;
  count?: ReactNode;
  actions?: ReactNode;
  /** A panel beside the section. Where there is no room for both it replaces the section. */
  panel?: ReactNode;
  children: ReactNode;
};

/** The frame of every section of platform configuration. */
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
