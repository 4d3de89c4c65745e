import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Chip } from '../../parts/chip.tsx';
import { useSearchState } from '../../parts/hooks/use-search-state.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState, ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton, SkeletonRows } from '../../parts/skeleton.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { useAccount } from '../session/use-session.ts';
import { shownOverviewQuery } from '../shipments/overview.ts';
import { FailureSection } from './failure-section.tsx';
import { countFailures, groupFailures } from './group-failures.ts';

/**
 * Every shipment that is not tracked on schedule, by reason. The counts are those of the whole account, and what needs
 * attention is the same as in the list of shipments.
 */
export function FailuresPage() {
  const mayWrite = useAccount().role !== 'viewer';
  const [show, setShow] = useSearchState('show');
  const { data, error, refetch } = useQuery(shownOverviewQuery);
  const isNarrowed = show === 'attention';
  const groups = groupFailures(data?.failures ?? [], isNarrowed);
  const { all, needing } = countFailures(data?.failures ?? []);
  return (
    <>
      <PageHead title="Failures" count={data === undefined ? undefined : all.toLocaleString(numberLocale())} />
      {error !== null && data !== undefined && (
        <ProblemNote error={error} retry={() => void refetch()} className="border-line border-b px-4 py-2" />
      )}
      {data === undefined &&
        (error === null ? (
          <FailuresSkeleton />
        ) : (
          <ProblemNote error={error} retry={() => void refetch()} className="p-4" />
        ))}
      {data !== undefined && all === 0 && (
        <EmptyState
          title="No failures"
          action={
            <Link to="/" className="text-accent underline-offset-2 hover:underline">
              All shipments
            </Link>
          }
        >
          Every shipment is tracked on schedule. Shipments that can’t be tracked appear here, with the reason and the
          remedy.
        </EmptyState>
      )}
      {all > 0 && (
        <>
          <fieldset
            aria-label="Which failures"
            className="flex min-h-[44px] flex-wrap items-center gap-2 border-line border-b px-4 py-2"
          >
            <Chip active={!isNarrowed} count={all.toLocaleString(numberLocale())} onClick={() => setShow('')}>
              All
            </Chip>
            <Chip
              active={isNarrowed}
              count={needing.toLocaleString(numberLocale())}
              onClick={() => setShow(isNarrowed ? '' : 'attention')}
            >
              Needs attention
            </Chip>
            {!mayWrite && <p className="ml-auto text-label text-t3">You have view-only access to this account.</p>}
          </fieldset>
          {groups.map((group, index) => (
            <FailureSection
              key={`${group.key} ${show}`}
              group={group}
              isNarrowed={isNarrowed}
              mayWrite={mayWrite}
              isFirst={index === 0}
            />
          ))}
          {groups.length === 0 && (
            <p className="p-4 text-t2">No failure needs attention: Landfall is still retrying all of them.</p>
          )}
        </>
      )}
    </>
  );
}

/** Two groups with the height of real ones. */
function FailuresSkeleton() {
  return (
    <div role="status" aria-label="Loading failures">
      <div className="h-[44px] border-line border-b px-4 py-3">
        <Skeleton className="w-64" />
      </div>
      {[3, 2].map((rows, group) => (
        <div key={rows}>
          <div className="flex h-[58px] flex-col gap-2 border-line border-b bg-sunk px-4 py-3 max-md:h-[158px]">
            <Skeleton className="w-48" />
            <Skeleton className="w-full max-w-xl" />
          </div>
          {group === 0 && <div className="h-8 border-line border-b max-md:hidden" />}
          <SkeletonRows
            rows={rows}
            cells={['w-40', 'w-20', 'w-28']}
            className="h-8 gap-6 border-line border-b px-4 max-md:h-[85px]"
          />
        </div>
      ))}
    </div>
  );
}
