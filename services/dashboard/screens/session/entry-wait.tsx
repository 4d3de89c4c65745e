import { ProblemNote } from '../../parts/problem-note.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { EntryFrame } from './entry-frame.tsx';

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
