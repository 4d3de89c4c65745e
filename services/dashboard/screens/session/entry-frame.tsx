import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ProblemError } from '../../api/problem-error.ts';
import { buttonClasses } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { usePageTitle } from '../../parts/page-head.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { WarningMark } from '../../parts/status-icons.tsx';
import { isPlainHttp } from './password-hint.ts';

/** The frame of pages without a session. */
export function EntryFrame({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  usePageTitle(title);
  return (
    <main className="flex min-h-dvh flex-col items-center bg-sunk px-4 py-[12vh] max-sm:bg-bg max-sm:py-8">
      <div className="w-full max-w-[400px] rounded-control border border-line bg-bg p-8 max-sm:border-transparent max-sm:p-0">
        <p className="flex items-center gap-2 font-semibold text-section">
          <Icon name="landfall" size={22} />
          Landfall
        </p>
        <h1 className="mt-6 text-headline font-semibold tracking-[-0.015em]">{title}</h1>
        {lead && <div className="mt-1 text-body text-t2">{lead}</div>}
        {isPlainHttp(window.location) && (
          <p className="mt-4 flex gap-2 text-body text-t2">
            <span className="mt-[3px]">
              <WarningMark severity="warning" />
            </span>
            <span>
              <span className="font-medium text-t1">This connection is not encrypted.</span> Others on the network can
              read what you type. Use HTTPS or open the page on the server itself.
            </span>
          </p>
        )}
        {children && <div className="mt-6">{children}</div>}
      </div>
      <p className="mt-4 text-label text-t3">
        <a href="/docs" className="underline-offset-2 hover:text-t1 hover:underline">
          API documentation
        </a>
      </p>
    </main>
  );
}

/** While the link is checked, and when the check fails. */
export function EntryWait({ title, error, retry }: { title: string; error: unknown; retry: () => void }) {
  return (
    <EntryFrame title={title}>
      {error ? (
        <ProblemNote error={error} retry={retry} />
      ) : (
        <div role="status" aria-label="Checking link" className="flex flex-col gap-6">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-full" />
          <Skeleton className="w-full" />
        </div>
      )}
    </EntryFrame>
  );
}

/** Shows the error of a sign-in. Server errors include the request id. */
export function EntryProblem({ error }: { error: unknown }) {
  const requestId = error instanceof ProblemError && error.status >= 500 ? error.requestId : null;
  return (
    <div role="alert" className="flex gap-2 text-body">
      <span className="mt-[3px]">
        <WarningMark severity="critical" />
      </span>
      <div className="min-w-0">
        <p>{problemText(error)}</p>
        {requestId !== null && (
          <p className="mt-0.5 text-label text-t3">
            Request <span className="select-all font-mono">{requestId}</span>
          </p>
        )}
      </div>
    </div>
  );
}

/** Replaces the form when a link is invalid: used, expired, replaced or incomplete. */
export function InvalidLink({ title, children }: { title: string; children: ReactNode }) {
  return (
    <EntryFrame title={title}>
      <div className="text-body text-t2">{children}</div>
      <Link to="/sign-in" className={`mt-6 ${buttonClasses('primary')}`}>
        Go to sign in
      </Link>
    </EntryFrame>
  );
}

function problemText(error: unknown): string {
  if (!(error instanceof ProblemError)) return 'Something went wrong. Reload the page.';
  if (error.status === 0) return 'Landfall is unreachable. Check your network and retry.';
  if (error.status === 401) return 'Incorrect email or password.';
  return error.message;
}
