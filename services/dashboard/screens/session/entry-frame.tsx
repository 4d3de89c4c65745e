import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ProblemError } from '../../api/problem-error.ts';
import { buttonClasses } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { WarningMark } from '../../parts/marks.tsx';
import { usePageTitle } from '../../parts/page-head.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { isPlainHttp } from './password-hint.ts';

/** The frame of the pages before the shell: whose door this is, what is asked, and nothing else. */
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
              <span className="font-medium text-t1">This page came over plain http.</span> What you type can be read on
              its way. Open it over https, or on the machine itself.
            </span>
          </p>
        )}
        {children && <div className="mt-6">{children}</div>}
      </div>
      <p className="mt-4 text-label text-t3">
        <a href="/docs" className="underline-offset-2 hover:text-t1 hover:underline">
          Documentation of the API
        </a>
      </p>
    </main>
  );
}

/** While the link is looked at, and when nobody answers. */
export function EntryWait({ title, error, retry }: { title: string; error: unknown; retry: () => void }) {
  return (
    <EntryFrame title={title}>
      {error ? (
        <ProblemNote error={error} retry={retry} />
      ) : (
        <div role="status" aria-label="FetchOrder at the link" className="flex flex-col gap-6">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-full" />
          <Skeleton className="w-full" />
        </div>
      )}
    </EntryFrame>
  );
}

/** What kept somebody out; the request's id where the logs can tell more than the words. */
export function EntryProblem({ error, words }: { error: unknown; words: string }) {
  const requestId = error instanceof ProblemError && error.status >= 500 ? error.requestId : null;
  return (
    <div role="alert" className="flex gap-2 text-body">
      <span className="mt-[3px]">
        <WarningMark severity="critical" />
      </span>
      <div className="min-w-0">
        <p>{words}</p>
        {requestId !== null && (
          <p className="mt-0.5 text-label text-t3">
            Request <span className="select-all font-mono">{requestId}</span>
          </p>
        )}
      </div>
    </div>
  );
}

/** A link that opens nothing: used, expired, replaced or cut off. */
export function UsedLink({ title, children }: { title: string; children: ReactNode }) {
  return (
    <EntryFrame title={title}>
      <div className="text-body text-t2">{children}</div>
      <Link to="/sign-in" className={`mt-6 ${buttonClasses('primary')}`}>
        Go to sign in
      </Link>
    </EntryFrame>
  );
}
