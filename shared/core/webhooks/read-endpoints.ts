import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { maxCountedBacklog, type WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import type { RecentStats } from '#shared/domain/webhooks/stats.ts';
import { readBacklogs } from '#shared/store/webhooks/backlog.ts';
import { listEndpoints, readEndpoint } from '#shared/store/webhooks/endpoints.ts';
import { readRecentStats } from '#shared/store/webhooks/stats.ts';
import { type Tx, withAccount, withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** An endpoint and what waits for it, each counted up to `maxCountedBacklog`. */
export type ShownEndpoint = WebhookEndpoint & { backlog: { changes: number; waiting: number } };

/** Throws LandfallError `webhook_endpoint_not_found`. */
export async function getWebhookEndpoint(ctx: CoreContext, caller: Caller, id: string): Promise<ShownEndpoint> {
  return withAccount(ctx.store, caller.accountId, (tx) => showEndpoint(tx, caller, id));
}

/** The endpoint as it is now. Throws LandfallError `webhook_endpoint_not_found`. */
export async function showEndpoint(tx: Tx, { accountId, test }: Caller, id: string): Promise<ShownEndpoint> {
  const endpoint = await readEndpoint(tx, accountId, { id, test });
  if (endpoint === null) throw noSuchEndpoint();
  const [shown] = await withBacklogs(tx, { accountId, test }, [endpoint]);
  if (shown === undefined) throw noSuchEndpoint();
  return shown;
}

/** `stats`: how it did in the last 24 hours, if that was asked for. */
export type ListedEndpoint = ShownEndpoint & { stats?: RecentStats };

/** One page of the endpoints of the caller's mode, newest first. `after`: the uuid of the last one of the page before. */
export async function listWebhookEndpoints(
  ctx: CoreContext,
  caller: Caller,
  { limit, after, includeStats = false }: { limit: number; after: string | null; includeStats?: boolean },
): Promise<{ endpoints: ListedEndpoint[]; hasMore: boolean }> {
  const { accountId, test } = caller;
  return withAccountReads(ctx.store, accountId, async (tx) => {
    const found = await listEndpoints(tx, accountId, { test, after, limit: limit + 1 });
    const endpoints = await withBacklogs(tx, caller, found.slice(0, limit));
    const hasMore = found.length > limit;
    if (!includeStats) return { endpoints, hasMore };
    const stats = await readRecentStats(
      tx,
      accountId,
      endpoints.map(({ id }) => id),
    );
    return { endpoints: endpoints.map((endpoint) => ({ ...endpoint, ...withStats(stats.get(endpoint.id)) })), hasMore };
  });
}

function withStats(stats: RecentStats | undefined): { stats?: RecentStats } {
  return stats === undefined ? {} : { stats };
}

async function withBacklogs(
  tx: Tx,
  { accountId, test }: Pick<Caller, 'accountId' | 'test'>,
  endpoints: readonly WebhookEndpoint[],
): Promise<ShownEndpoint[]> {
  const ids = endpoints.map(({ id }) => id);
  const backlogs = await readBacklogs(tx, accountId, { test, ids, max: maxCountedBacklog });
  return endpoints.map((endpoint) => ({
    ...endpoint,
    backlog: backlogs.get(endpoint.id) ?? { changes: 0, waiting: 0 },
  }));
}

/** An endpoint of another account or mode isn't found either. */
export function noSuchEndpoint(): LandfallError {
  return new LandfallError('webhook_endpoint_not_found', 'Webhook endpoint not found.');
}
