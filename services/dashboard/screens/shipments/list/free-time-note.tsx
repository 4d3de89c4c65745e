import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FreeTimeMark } from '../../../parts/status-icons.tsx';
import { viewFilter } from '../list-plan.ts';
import { type ListSearch, writeListSearch } from '../list-search.ts';
import { assessedWords } from '../row-words.ts';
import { countsQuery } from './use-list-counts.ts';

type Props = { search: ListSearch; today: string };

/**
 * Shows the number of shipments of this list without a free-time assessment. They are not in the list, and are not
 * without risk.
 */
export function FreeTimeNote({ search, today }: Props) {
  const counts = useQuery(countsQuery(viewFilter(search, today)));
  const unknown = counts.data?.unknown_terms ?? null;
  const isShown = search.clock.includes('unknown_terms');
  if (unknown === null) return <div className="h-9 shrink-0 border-line border-b print:hidden" />;
  return (
    <div
      role="status"
      className={`flex min-h-9 shrink-0 flex-wrap items-center gap-x-2.5 gap-y-0.5 border-line border-b px-4 py-1.5 ${unknown > 0 ? 'bg-sunk text-t1' : 'text-t2'}`}
    >
      <span className="flex items-start gap-2">
        <span className="mt-[3px]">
          <FreeTimeMark state={unknown > 0 ? 'unknown_terms' : 'stopped'} />
        </span>
        {assessedWords(unknown, isShown)}
      </span>
      {unknown > 0 && !isShown && (
        <Link
          to="/"
          search={writeListSearch({ ...search, view: 'free_time', clock: ['unknown_terms'], peek: null })}
          className="text-accent underline-offset-2 hover:underline print:hidden"
        >
          Show {unknown === 1 ? 'it' : 'them'}
        </Link>
      )}
      {isShown && (
        <Link
          to="/"
          search={writeListSearch({ ...search, clock: [], peek: null })}
          className="text-accent underline-offset-2 hover:underline print:hidden"
        >
          Show the others
        </Link>
      )}
      <Link
        to="/configuration/$section"
        params={{ section: 'free-time' }}
        className="text-accent underline-offset-2 hover:underline print:hidden"
      >
        Free-time terms
      </Link>
    </div>
  );
}
