import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState, ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useSearchState } from '../../parts/use-search-state.ts';
import { useAccount } from '../session/use-session.ts';
import { FailureSection } from './failure-section.tsx';
import { type Actor, actorWords, failureWords } from './failure-words.ts';
import { type FailedShipment, groupFailures } from './group-failures.ts';

const actors: readonly Actor[] = ['you', 'us', 'carrier'];

/** Everything that is not followed as it should be, by why. */
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
          title="Nothing needs you"
          action={
            <Link to="/" className="text-accent underline-offset-2 hover:underline">
              All shipments
            </Link>
          }
        >
          Every shipment is followed as planned. What a carrier does not know, does not answer or refuses shows here,
          with what to do about it.
        </EmptyState>
      )}
      {shipments.length > 0 && (
        <>
          <fieldset
            aria-label="Who has to act"
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
                {actorWords[actor]} {actor === 'you' ? 'act' : 'acts'}
              </Chip>
            ))}
            {!mayWrite && <p className="ml-auto text-label text-t3">You may look at this account, not change it.</p>}
          </fieldset>
          {shown.map((group, index) => (
            <FailureSection key={group.key} group={group} mayWrite={mayWrite} isFirst={index === 0} />
          ))}
          {shown.length === 0 && (
            <p className="p-4 text-t2">None of these. The others are waiting for somebody else.</p>
          )}
          {hasNextPage && (
            <p className="flex items-center gap-3 p-4">
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show more
              </Button>
              <span className="text-label text-t3 tabular-nums">
                {shipments.length.toLocaleString('en')} of {total.toLocaleString('en')} shown; buttons act on what is
                shown
              </span>
            </p>
          )}
        </>
      )}
    </>
  );
}

const pageSize = 100;
const renewMs = 15_000;

/** Everything that is not followed as it should be, a page of the list at a time. */
export const failuresQuery = infiniteQueryOptions({
  queryKey: ['failures'],
  queryFn: async ({ pageParam }) => {
    const answer = await call('listShipments', {
      query: {
        tracking_state: ['awaiting_carrier', 'degraded', 'failed'],
        fields: ['shipment_id', 'transport_mode', 'carrier', 'identifiers', 'reference', 'created_at', 'tracking'],
        limit: pageSize,
        ...(pageParam === '' ? { includeTotal: true } : { cursor: pageParam }),
      },
    });
    return answer as typeof answer & { data: FailedShipment[] };
  },
  initialPageParam: '',
  getNextPageParam: ({ page }) => page.next_cursor ?? undefined,
  refetchInterval: renewMs,
});

const skeletonGroups = [3, 2];

/** Two skeletonGroups of the real height. */
export function FailuresSkeleton() {
  return (
    <div aria-hidden="true">
      <div className="h-[44px] border-line border-b px-4 py-3">
        <Skeleton className="w-64" />
      </div>
      {skeletonGroups.map((rows, group) => (
        <div key={rows}>
          <div className="flex h-[58px] flex-col gap-2 border-line border-b bg-sunk px-4 py-3 max-sm:h-[158px]">
            <Skeleton className="w-48" />
            <Skeleton className="w-full max-w-xl" />
          </div>
          {group === 0 && <div className="h-8 border-line border-b max-sm:hidden" />}
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
            <div key={row} className="flex h-8 items-center gap-6 border-line border-b px-4 max-sm:h-[85px]">
              <Skeleton className="w-40" />
              <Skeleton className="w-20" />
              <Skeleton className="w-28" />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
