import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { WireAudit } from '#shared/contract/members/audit-wire.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState, ErrorState, Locked } from '../../parts/page-states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { momentWords, zoneWords } from '../../parts/time-words.ts';
import { useAccount } from '../session/use-session.ts';
import { actorWords, auditWords } from './audit-words.ts';
import { SectionFrame } from './section-frame.tsx';

const columns: readonly Column<WireAudit>[] = [
  {
    key: 'when',
    name: 'When',
    className: 'max-md:hidden',
    cellClassName: 'whitespace-nowrap py-1 text-t2 tabular-nums',
    cellTitle: ({ at }) => zoneWords(at),
    cell: ({ at }) => <time dateTime={at}>{momentWords(at)}</time>,
  },
  {
    key: 'who',
    name: 'Who',
    className: 'max-w-48 max-md:hidden',
    cellClassName: 'truncate',
    cellTitle: actorWords,
    cell: actorWords,
  },
  {
    key: 'what',
    name: 'What',
    className: 'w-full',
    cellClassName: 'py-1 text-t2 max-md:px-4',
    skeleton: 'w-64 max-w-full',
    cell: (line) => (
      <>
        <span className="text-t1 md:hidden">{actorWords(line)} </span>
        {auditWords(line)}
        <span className="block text-label text-t3 md:hidden">{momentWords(line.at)}</span>
      </>
    ),
  },
  {
    key: 'request',
    name: 'Request',
    className: 'text-right max-xl:hidden',
    cellClassName: 'whitespace-nowrap font-mono text-number text-t3',
    cell: ({ request_id: requestId }) =>
      requestId && (
        <span className="select-all" title={requestId}>
          {requestId}
        </span>
      ),
  },
];

/** The audit log of the account, newest first. */
export function AuditSection() {
  const { role } = useAccount();
  const isOwner = role === 'owner';
  const audit = useInfiniteQuery({ ...auditQuery, enabled: isOwner });
  return (
    <SectionFrame title="Audit log">
      {isOwner ? (
        <Table
          caption="Audit log, newest first"
          columns={columns}
          rows={audit.data?.pages.flatMap(({ data }) => data)}
          rowKey={({ id }) => id}
          rowClassName={() => 'h-8 max-md:h-auto'}
          narrow="headless"
          skeletonRows={12}
          error={audit.isFetchNextPageError ? null : audit.error}
          retry={() => audit.refetch()}
          empty={<EmptyState title="No entries yet">Key, invitation and credential changes appear here.</EmptyState>}
        />
      ) : (
        <Locked>Only owners can view the audit log. Your role is {role}.</Locked>
      )}
      {audit.isFetchNextPageError && <ErrorState error={audit.error} retry={() => audit.fetchNextPage()} />}
      {audit.hasNextPage && !audit.isFetchNextPageError && (
        <div className="p-4">
          <Button busy={audit.isFetchingNextPage} onClick={() => audit.fetchNextPage()}>
            {audit.isFetchingNextPage ? 'Loading' : 'Load earlier entries'}
          </Button>
        </div>
      )}
    </SectionFrame>
  );
}

const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam }) =>
    call('listAudit', { query: { limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) } }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ page }) => page.next_cursor,
});
