import { ProblemError } from '../../api/problem-error.ts';
import { WarningMark } from '../../parts/warning-mark.tsx';

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
