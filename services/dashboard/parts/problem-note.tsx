import { ProblemError } from '../api/problem-error.ts';
import { Button } from './button.tsx';
import { WarningMark } from './warning-mark.tsx';

/** What went wrong, in the service's own words, with the id to ask its logs and traces by. */
export function ProblemNote({
  error,
  retry,
  className = '',
}: {
  error: unknown;
  retry?: () => void;
  className?: string;
}) {
  const problem = error instanceof ProblemError ? error : null;
  return (
    <div role="alert" className={`flex items-start gap-2 text-body ${className}`}>
      <span className="mt-[3px]">
        <WarningMark severity="critical" />
      </span>
      <div className="min-w-0">
        <p className="text-t1">
          {problem?.message ?? 'This page has a fault. Reload it; if it stays, tell whoever runs this installation.'}
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
          Try again
        </Button>
      )}
    </div>
  );
}
