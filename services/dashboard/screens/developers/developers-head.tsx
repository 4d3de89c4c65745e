import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePageTitle } from '../../parts/page-head.tsx';

const tabs = [
  { to: '/developers', name: 'Overview' },
  { to: '/developers/webhooks', name: 'Webhooks' },
] as const;

type Props = { title: string; current: (typeof tabs)[number]['to']; children?: ReactNode };

/** The head of the screens for developers: their names, and the actions of the open one. */
export function DevelopersHead({ title, current, children }: Props) {
  usePageTitle(title);
  return (
    <header className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2">
      <h1 className="text-title font-semibold tracking-[-0.01em]">Developers</h1>
      <nav aria-label="Developers" className="flex gap-1">
        {tabs.map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: true, includeSearch: false }}
            aria-current={to === current ? 'page' : undefined}
            className="flex h-7 items-center rounded-control px-2.5 text-t2 hover:bg-hover hover:text-t1 aria-[current=page]:bg-line aria-[current=page]:font-medium aria-[current=page]:text-t1"
          >
            {name}
          </Link>
        ))}
      </nav>
      {children && <div className="ml-auto flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  );
}
