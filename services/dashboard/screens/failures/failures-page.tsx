import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useSearchState } from '../../parts/hooks/use-search-state.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState, ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton, SkeletonRows } from '../../parts/skeleton.tsx';
import { useAccount } from '../session/use-session.ts';
import { FailureSection } from './failure-section.tsx';
import { type Actor, actorWords, failureWords } from './failure-words.ts';
import { type FailedShipment, groupFailures } from './group-failures.ts';

const actors: readonly Actor[] = ['you', 'landfall', 'carrier'];
const pageSize = 100;
const refetchMs = 15_000;

/** Every shipment that is not tracked on schedule, by reason. */
export function FailuresPage() {
  const mayWrite = useAccount().role !== 'viewer';
  const [who, setWho] = useSearchState('who');
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(failuresQuery);
  const shipments = data?.pages.flatMap((page) => page.data) ?? [];
  const groups = groupFailures(shipments);
  const shown = groups.filter(({ reason }) => who === '' || failureWords(reason).actor === who);
  const total = data?.pages[0]?.page.total ?? shipments.length;
  const countOf = (actor: Actor) =>
    groups.reduce(
      (sum, { reason, shipments: all }) => sum + (failureWords(reason).actor === actor ? all.length : 0),
      0,
    );
  return (
    <>
      <PageHead title="Failures" count={data === undefined ? undefined : total.toLocaleString('en')} />
      {error !== null && data !== undefined && (
        <ProblemNote error={error} retry={() => void refetch()} className="border-line border-b px-4 py-2" />
      )}
      {data === undefined &&
        (error === null ? (
          <FailuresSkeleton />
        ) : (
          <ProblemNote error={error} retry={() => void refetch()} className="p-4" />
        ))}
      {data !== undefined && shipments.length === 0 && (
        <EmptyState
          title="Nothing needs attention"
          action={
            <Link to="/" className="text-accent underline-offset-2 hover:underline">
              All shipments
            </Link>
          }
        >
          Every shipment is tracked on schedule. Shipments that can’t be tracked appear here, with the reason and what
          to do.
        </EmptyState>
      )}
      {shipments.length > 0 && (
        <>
          <fieldset
            aria-label="Who must act"
            className="flex min-h-[44px] flex-wrap items-center gap-2 border-line border-b px-4 py-2"
          >
            <Chip active={who === ''} count={shipments.length} onClick={() => setWho('')}>
              All
            </Chip>
            {actors.map((actor) => (
              <Chip
                key={actor}
                active={who === actor}
                count={countOf(actor)}
                onClick={() => setWho(who === actor ? '' : actor)}
              >
                {actorWords[actor]}
              </Chip>
            ))}
            {!mayWrite && <p className="ml-auto text-label text-t3">You have view-only access to this account.</p>}
          </fieldset>
          {shown.map((group, index) => (
            <FailureSection key={group.key} group={group} mayWrite={mayWrite} isFirst={index === 0} />
          ))}
          {shown.length === 0 && <p className="p-4 text-t2">No matching failures.</p>}
          {hasNextPage && (
            <p className="flex items-center gap-3 p-4">
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Load more
              </Button>
              <span className="text-label text-t3 tabular-nums">
                {shipments.length.toLocaleString('en')} of {total.toLocaleString('en')} shown. Actions apply only to the
                shipments shown.
              </span>
            </p>
          )}
        </>
      )}
    </>
  );
}

const failuresQuery = infiniteQueryOptions({
  queryKey: ['failures'],
  queryFn: async ({ pageParam }) => {
    const list = await call('listShipments', {
      query: {
        tracking_state: ['awaiting_carrier', 'degraded', 'failed'],
        fields: ['shipment_id', 'transport_mode', 'carrier', 'identifiers', 'reference', 'created_at', 'tracking'],
        limit: pageSize,
        ...(pageParam === '' ? { include_total: true } : { cursor: pageParam }),
      },
    });
    return list as typeof list & { data: FailedShipment[] };
  },
  initialPageParam: '',
  getNextPageParam: ({ page }) => page.next_cursor ?? undefined,
  refetchInterval: refetchMs,
});

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
