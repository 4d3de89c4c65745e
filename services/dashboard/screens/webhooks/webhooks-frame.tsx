import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePageTitle } from '../../parts/page-head.tsx';
import { Locked } from '../../parts/page-states.tsx';
import { useAccount } from '../session/use-session.ts';
import { mayManageWebhooks } from './webhook-queries.ts';

type Crumb = string | { endpointId: string; name: string };

type Props = {
  title: string;
  /** The path below "Webhooks". The last one is the heading of the page. */
  crumbs: readonly Crumb[];
  mark?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** The frame of the pages below the list of endpoints, for those who may see them. */
export function WebhooksFrame({ title, crumbs, mark, actions, children }: Props) {
  usePageTitle(title);
  const { role } = useAccount();
  const last = crumbs.at(-1);
  return (
    <div className="flex min-h-full flex-col">
      <header className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-4 py-2">
        <nav aria-label="Path" className="flex min-w-0 items-center gap-2 text-t2 max-sm:hidden">
          <Link to="/developers/webhooks" className="hover:text-t1 hover:underline">
            Webhooks
          </Link>
          <span aria-hidden="true" className="text-t4">
            /
          </span>
          {crumbs.slice(0, -1).map((crumb) =>
            typeof crumb === 'string' ? null : (
              <span key={crumb.endpointId} className="flex min-w-0 items-center gap-2">
                <Link
                  to="/developers/webhooks/$endpointId"
                  params={{ endpointId: crumb.endpointId }}
                  className="max-w-80 truncate hover:text-t1 hover:underline"
                >
                  {crumb.name}
                </Link>
                <span aria-hidden="true" className="text-t4">
                  /
                </span>
              </span>
            ),
          )}
        </nav>
        <h1 className="min-w-0 break-all font-semibold text-title tracking-[-0.01em]">
          {typeof last === 'string' ? last : last?.name}
        </h1>
        {mark}
        {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {mayManageWebhooks(role) ? children : <WebhooksLocked />}
    </div>
  );
}

export function WebhooksLocked() {
  const { role } = useAccount();
  return <Locked>Only owners can view and manage webhooks. Your role is {role}.</Locked>;
}
