import { infiniteQueryOptions } from '@tanstack/react-query';
import type { WireAudit } from '#shared/contract/people/audit-wire.ts';
import { ask } from '../../api/request.ts';

type AuditPage = { data: WireAudit[]; page: { limit: number; has_more: boolean; next_cursor: string | null } };

/** Newest first, a page at a time. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam }) =>
    ask<AuditPage>('GET', `/audit?limit=50${pageParam === null ? '' : `&cursor=${encodeURIComponent(pageParam)}`}`),
  initialPageParam: null as string | null,
  getNextPageParam: ({ page }) => page.next_cursor,
});
