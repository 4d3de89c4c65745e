import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState, Locked, SectionProblem } from '../../parts/page-states.tsx';
import { RowSkeletons } from '../../parts/skeleton.tsx';
import { momentWords, zoneWords } from '../../parts/time-words.ts';
import { useAccount } from '../session/use-session.ts';
import { actorWords, auditWords } from './audit-words.ts';
import { SectionFrame } from './section-frame.tsx';

/** Who changed what, and when: keys, members, carrier access, limits. */
export function AuditSection() {
  const { role } = useAccount();
  const isOwner = role === 'owner';
  const audit = useInfiniteQuery({ ...auditQuery, enabled: isOwner });
  const lines = audit.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <SectionFrame title="Audit log">
      {!isOwner && <Locked>The audit log is for owners of the account. You are a {role} of it.</Locked>}
      {isOwner && audit.isPending && <RowSkeletons label="Loading the audit log" rows={12} />}
      {audit.isError && !audit.isFetchNextPageError && (
        <SectionProblem error={audit.error} retry={() => audit.refetch()} />
      )}
      {audit.isSuccess && lines.length === 0 && (
        <EmptyState title="Nothing yet">
          Whoever makes a key, invites somebody or sets carrier access is written down here.
        </EmptyState>
      )}
      {lines.length > 0 && (
        <table className="w-full border-collapse text-body">
          <caption className="sr-only">Audit log, newest first</caption>
          <thead className="text-left text-label text-t3 max-md:hidden">
            <tr className="h-8 border-line border-b">
              <th scope="col" className="pl-4 font-normal">
                When
              </th>
              <th scope="col" className="px-2 font-normal">
                Who
              </th>
              <th scope="col" className="px-2 font-normal">
                What
              </th>
              <th scope="col" className="pr-4 pl-2 text-right font-normal max-xl:hidden">
                Request
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.id} className="h-8 border-line border-b hover:bg-hover max-md:h-auto">
                <td
                  className="whitespace-nowrap py-1 pr-2 pl-4 text-t2 tabular-nums max-md:hidden"
                  title={zoneWords(line.at)}
                >
                  <time dateTime={line.at}>{momentWords(line.at)}</time>
                </td>
                <td className="max-w-48 truncate px-2 max-md:hidden" title={actorWords(line)}>
                  {actorWords(line)}
                </td>
                <td className="w-full px-2 py-1 text-t2 max-md:px-4">
                  <span className="text-t1 md:hidden">{actorWords(line)} </span>
                  {auditWords(line)}
                  <span className="block text-label text-t3 md:hidden">{momentWords(line.at)}</span>
                </td>
                <td className="whitespace-nowrap pr-4 pl-2 text-right font-mono text-number text-t3 max-xl:hidden">
                  {line.request_id && (
                    <span className="select-all" title={line.request_id}>
                      {line.request_id}
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {audit.isFetchNextPageError && <SectionProblem error={audit.error} retry={() => audit.fetchNextPage()} />}
      {audit.hasNextPage && !audit.isFetchNextPageError && (
        <div className="p-4">
          <Button busy={audit.isFetchingNextPage} onClick={() => audit.fetchNextPage()}>
            {audit.isFetchingNextPage ? 'Loading' : 'Earlier ones'}
          </Button>
        </div>
      )}
    </SectionFrame>
  );
}

/** Newest first, a page at a time. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam }) =>
    call('listAudit', { query: { limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) } }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ page }) => page.next_cursor,
});
