import { Link } from '@tanstack/react-router';
import { isSearchable } from '#shared/domain/lists/short-words.ts';
import { Button, buttonClasses } from '../../../parts/button.tsx';
import { EmptyState } from '../../../parts/page-states.tsx';
import { SkeletonRows } from '../../../parts/skeleton.tsx';
import { useAccount, useSession } from '../../session/use-session.ts';
import {
  isFiltered,
  type ListSearch,
  minSearchChars,
  narrowingsOf,
  plainSearch,
  without,
  withView,
} from '../list-search.ts';
import { filterWords, valueWords } from '../list-words.ts';
import { isNumber } from '../pasted-numbers.ts';

/** First steps for an account without shipments. */
export function EmptyAccount() {
  const { simulated } = useSession();
  const canWrite = useAccount().role !== 'viewer';
  if (!canWrite)
    return (
      <EmptyState title="No shipments yet">
        You have view-only access to this account. Members can register shipments.
      </EmptyState>
    );
  return (
    <EmptyState title="No shipments yet">
      <p>
        {simulated
          ? 'Carriers are simulated here. Registered shipments move within seconds.'
          : 'Landfall polls the carrier within seconds of registration, and then on schedule.'}
      </p>
      <ol className="mt-4 flex flex-col gap-4">
        <Step number={1} title="Track a shipment" text="Paste numbers or import a file.">
          <Link to="/add" className={buttonClasses('primary')}>
            Track
          </Link>
        </Step>
        <Step number={2} title="Create an API key" text="For your systems, over REST and MCP.">
          <Link
            to="/configuration/$section"
            params={{ section: 'keys' }}
            search={{ panel: 'new' }}
            className={buttonClasses()}
          >
            New key
          </Link>
        </Step>
        <Step number={3} title="Connect your code" text="Examples for curl and MCP clients.">
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
  text,
  children,
}: {
  number: number;
  title: string;
  text: string;
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
        {text}
      </span>
      {children}
    </li>
  );
}

/** No matches, with filters that can be removed. */
export function EmptyList({ search, change }: { search: ListSearch; change: (search: ListSearch) => void }) {
  const narrowings = narrowingsOf(search);
  if (search.q !== '' && !isSearchable(search.q)) {
    return <EmptyState title="Search text too short">Enter at least {minSearchChars} characters.</EmptyState>;
  }
  return (
    <EmptyState
      title={isFiltered(search) ? 'No matching shipments' : emptyTitles[search.view]}
      action={
        <>
          {narrowings.map((narrowing) => (
            <Button key={`${narrowing.name} ${narrowing.value}`} onClick={() => change(without(search, narrowing))}>
              Remove {filterWords[narrowing.name].toLowerCase()}: {valueWords(narrowing.name, narrowing.value)}
            </Button>
          ))}
          {!['all', 'any', 'archived'].includes(search.view) && (
            <Button onClick={() => change(withView(search, 'all'))}>Search all shipments</Button>
          )}
          {narrowings.length > 1 && (
            <Button onClick={() => change({ ...plainSearch, view: search.view, sort: search.sort })}>
              Remove all filters
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
      {isFiltered(search) ? 'No shipment matches all filters. Remove one:' : null}
    </EmptyState>
  );
}

const emptyTitles: Record<ListSearch['view'], string> = {
  current: 'No current shipments',
  mine: 'No shipments are assigned to you',
  needs: 'Nothing needs attention',
  late: 'No late shipments',
  exceptions: 'No open exceptions',
  stale: 'No stale shipments',
  arriving: 'No arrivals today',
  free_time: 'No free time is running',
  all: 'No shipments yet',
  any: 'No shipments yet',
  archived: 'No archived shipments',
};

/** Placeholders with the height of the rows. */
export function ListSkeleton() {
  return (
    <>
      <div className="h-8 border-line border-b max-sm:hidden" />
      <SkeletonRows
        rows={12}
        label="Loading shipments"
        className="h-8 gap-10 border-line border-b px-4 max-sm:h-[82px]"
        cells={['w-32', 'w-16 max-sm:hidden', 'w-20 max-sm:hidden', 'w-28', 'w-20 max-lg:hidden', 'ml-auto w-8']}
      />
    </>
  );
}

/** Shipments that entered the list. They are not inserted before somebody asks, so that rows do not move. */
export function ArrivedNote({ arrived, show }: { arrived: number; show: () => void }) {
  return (
    <div role="status" className="flex h-9 shrink-0 items-center gap-3 border-line border-b bg-sel px-4 print:hidden">
      {arrived === 1 ? '1 new shipment' : `${arrived} new shipments`} in this list
      <Button kind="quiet" className="text-accent" onClick={show}>
        Show
      </Button>
    </div>
  );
}
