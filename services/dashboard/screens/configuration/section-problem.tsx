import { ProblemError } from '../../api/problem-error.ts';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';

/** What a section shows instead of its rows: a role that may not see them is no fault. */
export function SectionProblem({ error, retry }: { error: unknown; retry: () => void }) {
  if (error instanceof ProblemError && error.status === 403) return <Locked>{error.message}</Locked>;
  return <ProblemNote error={error} retry={retry} className="p-4" />;
}

/** What one may not do here, and who may. */
export function Locked({ children }: { children: React.ReactNode }) {
  return (
    <p className="flex items-start gap-2 border-line border-b bg-sunk px-4 py-2.5 text-body text-t2">
      <Icon name="lock" size={14} className="mt-[3px] shrink-0" />
      <span>{children}</span>
    </p>
  );
}
