import { infiniteQueryOptions } from '@tanstack/react-query';
import { ask } from '../../api/request.ts';

export type AuditLine = {
  id: string;
  at: string;
  /** `user_…`, `key_…` or `system`. */
  actor: string;
  /** How it is called now; null: it is gone, or it was the system. */
  actor_name: string | null;
  action: string;
  subject_type: string;
  subject_id: string | null;
  request_id: string | null;
  detail: Record<string, unknown>;
};

type AuditPage = { data: AuditLine[]; page: { limit: number; has_more: boolean; next_cursor: string | null } };

/** Newest first, a page at a time. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam }) =>
    ask<AuditPage>('GET', `/audit?limit=50${pageParam === null ? '' : `&cursor=${encodeURIComponent(pageParam)}`}`),
  initialPageParam: null as string | null,
  getNextPageParam: ({ page }) => page.next_cursor,
});
