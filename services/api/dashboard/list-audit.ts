import { auditCursor, readAuditCursor, toWireAudit } from '#shared/contract/people/audit-wire.ts';
import { listAudit } from '#shared/core/people/list-audit.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';

/** Who changed what in the account. */
export function listAuditRoute(ctx: ApiContext): DashboardHandler<'listAudit'> {
  return async ({ request, query: { limit, cursor } }) => {
    const before = cursor === undefined ? null : readAuditCursor(cursor);
    const { lines, hasMore } = await listAudit(ctx.core, callerOf(request), { before, limit });
    const last = lines.at(-1);
    const nextCursor = hasMore && last !== undefined ? auditCursor(last.id) : null;
    return { data: lines.map(toWireAudit), page: { limit, has_more: hasMore, next_cursor: nextCursor } };
  };
}
