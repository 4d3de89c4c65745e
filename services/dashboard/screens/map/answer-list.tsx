import { Link } from '@tanstack/react-router';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { MapList } from './map-list.tsx';
import type { Answer } from './use-answer.ts';

/** The first of them. */
export function AnswerList({
  answer: { search, total, shipments, error, retry },
  nothing,
}: {
  answer: Answer;
  nothing: string;
}) {
  if (error !== null) return <ProblemNote error={error} retry={retry} className="border-line border-b p-4" />;
  if (shipments === undefined) {
    return (
      <p className="border-line border-b px-4 py-3">
        <Skeleton className="w-40" />
      </p>
    );
  }
  if (shipments.length === 0) return <p className="border-line border-b px-4 py-3 text-t2">{nothing}</p>;
  return (
    <MapList
      shipments={shipments}
      total={Math.max(total ?? 0, shipments.length)}
      rest={
        <>
          {' '}
          <Link to="/" search={search as never} className="text-accent hover:underline">
            in the list
          </Link>
        </>
      }
    />
  );
}
