import { Link } from '@tanstack/react-router';
import { Button, buttonClasses } from '../../../parts/button.tsx';
import { EmptyState } from '../../../parts/page-states.tsx';
import { Skeleton } from '../../../parts/skeleton.tsx';
import { isNumber } from '../../../shell/pasted-numbers.ts';
import { useAccount, useSession } from '../../session/use-session.ts';
import {
  isFiltered,
  type ListSearch,
  narrowingsOf,
  plainSearch,
  shortestSearch,
  without,
  withView,
} from '../list-search.ts';
import { filterWords, valueWords, viewWords } from '../list-words.ts';

/** An account that has no shipment yet: the first steps. */
export function EmptyAccount() {
  const { simulated } = useSession();
  const canWrite = useAccount().role !== 'viewer';
  if (!canWrite)
    return (
      <EmptyState title="Nothing is tracked yet">
        You may look at this account. Its members register shipments.
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing is tracked yet">
      <p>
        {simulated
          ? 'Carriers are simulated here: a shipment that you register moves as you watch.'
          : 'A shipment that you register is asked for at its carrier within seconds, and from then on.'}
      </p>
      <ol className="mt-4 flex flex-col gap-4">
        <Step number={1} title="Track a shipment" words="Paste a number, or import a file.">
          <Link to="/add" className={buttonClasses('primary')}>
            Track
          </Link>
        </Step>
        <Step number={2} title="Make a key for your systems" words="The same over REST and MCP.">
          <Link
            to="/configuration/$section"
            params={{ section: 'keys' }}
            search={{ panel: 'new' }}
            className={buttonClasses()}
          >
            New key
          </Link>
        </Step>
        <Step number={3} title="Ask from your own code" words="Ready lines for curl and for MCP clients.">
          <Link to="/developers" className={buttonClasses()}>
            Developers
          </Link>
        </Step>
      </ol>
    </EmptyState>
  );
}

function Step({
  number,
  title,
  words,
  children,
}: {
  number: number;
  title: string;
  words: string;
  children: React.ReactNode;
}) {
  return (
    <li className="flex items-start gap-3">
      <span
        aria-hidden="true"
        className="grid size-6 shrink-0 place-items-center rounded-full border border-line2 text-label text-t2 tabular-nums"
      >
        {number}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-medium text-t1">{title}</span>
        {words}
      </span>
      {children}
    </li>
  );
}

/** Nothing matches: what could be left out. */
export function EmptyList({ search, change }: { search: ListSearch; change: (search: ListSearch) => void }) {
  const narrowings = narrowingsOf(search);
  if (search.q !== '' && search.q.length < shortestSearch) {
    return (
      <EmptyState title="Type one or two signs more">
        A search needs {shortestSearch} signs; with fewer nearly everything would match.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={isFiltered(search) ? 'Nothing matches' : calmTitles[search.view]}
      action={
        <>
          {narrowings.map((narrowing) => (
            <Button key={`${narrowing.name} ${narrowing.value}`} onClick={() => change(without(search, narrowing))}>
              Without {filterWords[narrowing.name].toLowerCase()} {valueWords(narrowing.name, narrowing.value)}
            </Button>
          ))}
          {search.view !== 'all' && search.view !== 'archived' && (
            <Button onClick={() => change(withView(search, 'all'))}>
              In all shipments, not only “{viewWords[search.view]}”
            </Button>
          )}
          {narrowings.length > 1 && (
            <Button onClick={() => change({ ...plainSearch, view: search.view, sort: search.sort })}>
              Without all filters
            </Button>
          )}
          {isNumber(search.q) && (
            <Link to="/add" search={{ number: search.q }} className={buttonClasses('primary')}>
              Track {search.q}
            </Link>
          )}
        </>
      }
    >
      {isFiltered(search) ? 'No shipment has all of what is asked for. Leave something out:' : null}
    </EmptyState>
  );
}

const calmTitles: Record<ListSearch['view'], string> = {
  current: 'Nothing is under way',
  needs: 'Nothing needs you',
  late: 'Nothing is late',
  exceptions: 'No exception is open',
  stale: 'Every carrier answers',
  arriving: 'Nothing arrives today',
  all: 'Nothing is tracked yet',
  archived: 'Nothing is archived',
};

const widths = [132, 116, 148, 124, 140, 120, 136, 128, 144, 118, 134, 126];

/** Lines of the rows' height, while the first ones are read. */
export function ListSkeleton() {
  return (
    <div role="status" aria-label="Reading the list">
      <div className="h-8 border-line border-b max-sm:hidden" />
      {widths.map((width) => (
        <div key={width} className="flex h-8 items-center gap-10 border-line border-b px-4 max-sm:h-[82px]">
          <span style={{ width }}>
            <Skeleton className="w-full" />
          </span>
          <Skeleton className="w-16 max-sm:hidden" />
          <Skeleton className="w-20 max-sm:hidden" />
          <Skeleton className="w-28" />
          <Skeleton className="w-20 max-lg:hidden" />
          <Skeleton className="ml-auto w-8" />
        </div>
      ))}
    </div>
  );
}
