import type { ErrorComponentProps } from '@tanstack/react-router';
import { ProblemNote } from './problem-note.tsx';

/** A page that could not be shown; the rest of the shell stays. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  return (
    <div className="p-4">
      <ProblemNote error={error} retry={reset} />
    </div>
  );
}
