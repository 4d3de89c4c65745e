import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ProblemError } from '../api/problem-error.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { WarningMark } from './status-icons.tsx';

type EmptyProps = {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** 1 where nothing else is on the page. */
  level?: 1 | 2;
};

/** Explains an empty page and offers the next step. */
export function EmptyState({ title, children, action, level = 2 }: EmptyProps) {
  const Title = `h${level}` as const;
  return (
    <div className="mx-auto flex max-w-md flex-col items-start gap-2 px-4 py-16">
      <Title className="text-title font-semibold tracking-[-0.01em]">{title}</Title>
      {children && <div className="text-body text-t2">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
    </div>
  );
}

type ProblemProps = { error: unknown; retry?: (() => void) | undefined; className?: string };

/** Shows an error as the API words it, with the request id that finds it in logs and traces. */
export function ProblemNote({ error, retry, className = '' }: ProblemProps) {
  const problem = error instanceof ProblemError ? error : null;
  return (
    <div role="alert" className={`flex items-start gap-2 text-body ${className}`}>
      <span className="mt-[3px]">
        <WarningMark severity="critical" />
      </span>
      <div className="min-w-0">
        <p className="text-t1">
          {problem?.message ??
            'Something went wrong on this page. Reload it. If the problem persists, contact your operator.'}
        </p>
        {problem?.errors.map(({ pointer, detail }) => (
          <p key={`${pointer} ${detail}`} className="text-t2">
            {detail}
          </p>
        ))}
        {problem?.requestId && (
          <p className="mt-0.5 text-label text-t3">
            Request <span className="select-all font-mono">{problem.requestId}</span>
          </p>
        )}
      </div>
      {retry && (
        <Button className="ml-auto" onClick={retry}>
          Retry
        </Button>
      )}
    </div>
  );
}

/** Replaces content that could not be loaded. Missing permission is not shown as a failure. */
export function ErrorState({ error, retry }: ProblemProps) {
  if (error instanceof ProblemError && error.status === 403) return <Locked>{error.message}</Locked>;
  return <ProblemNote error={error} retry={retry} className="p-4" />;
}

/** Names the role that an action requires when the user's role does not allow it. */
export function Locked({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 border-line border-b bg-sunk px-4 py-2.5 text-body text-t2">
      <Icon name="lock" size={14} className="mt-[3px] shrink-0" />
      <span>{children}</span>
    </p>
  );
}

/** `isInside`: the page is inside the shell, which already has the main landmark. */
export function MissingPage({ isInside = false }: { isInside?: boolean }) {
  const Region = isInside ? 'div' : 'main';
  return (
    <Region>
      <EmptyState
        title="Page not found"
        level={1}
        action={
          <Link to="/" className="text-accent underline-offset-2 hover:underline">
            All shipments
          </Link>
        }
      >
        The link may be incomplete or belong to another account.
      </EmptyState>
    </Region>
  );
}

/** A page that failed to render. The rest of the shell stays. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  return (
    <div className="p-4">
      <ProblemNote error={error} retry={reset} />
    </div>
  );
}
