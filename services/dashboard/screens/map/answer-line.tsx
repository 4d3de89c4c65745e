import { Link } from '@tanstack/react-router';
import { Icon } from '../../parts/icon.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { WarningMark } from '../../parts/warning-mark.tsx';
import type { Answer } from './use-answer.ts';

/** How many, and the way to the list of them. */
export function AnswerLine({
  answer: { search, total, isBound },
  words,
  mark = false,
}: {
  answer: Answer;
  words: string;
  mark?: boolean;
}) {
  return (
    <Link
      to="/"
      search={search as never}
      className="flex h-11 items-center gap-2.5 border-line border-b px-4 hover:bg-hover"
    >
      {total === undefined ? (
        <Skeleton className="w-8" />
      ) : (
        <span className="font-semibold text-count tabular-nums tracking-[-0.015em]">
          {total.toLocaleString('en')}
          {isBound && '+'}
        </span>
      )}
      {mark && <WarningMark severity="warning" />}
      <span className="text-t2">{words}</span>
      <span className="ml-auto flex items-center gap-1 text-label text-t3">
        In the list <Icon name="right" size={14} />
      </span>
    </Link>
  );
}
