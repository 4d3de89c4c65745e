import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { InputOf } from '#shared/contract/operations.ts';
import type { WireListedEndpoint, WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { type Role, scopesOfRole } from '#shared/domain/members/role.ts';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';

const refetchMs = 5000;
const statsRefetchMs = 60_000;
const pageSize = 50;

export function mayManageWebhooks(role: Role): boolean {
  return scopesOfRole[role].includes('webhooks:manage');
}

/** Every endpoint of the account in the chosen mode. There are at most 50. */
export const endpointsQuery = queryOptions({
  queryKey: ['webhooks', 'endpoints'],
  queryFn: async (): Promise<WireWebhookEndpoint[]> =>
    (await call('listWebhookEndpoints', { query: { limit: pageSize } })).data,
  refetchInterval: refetchMs,
});

/** Recent statistics of each endpoint, by its id. The list itself is read far more often. */
export const recentStatsQuery = queryOptions({
  queryKey: ['webhooks', 'endpoints', 'stats'],
  queryFn: async (): Promise<Record<string, WireListedEndpoint['stats']>> => {
    const { data } = await call('listWebhookEndpoints', { query: { limit: pageSize, include: ['stats'] } });
    return Object.fromEntries(data.map(({ webhook_endpoint_id: id, stats }) => [id, stats]));
  },
  refetchInterval: statsRefetchMs,
});

export function endpointQuery(endpointId: string) {
  return queryOptions({
    queryKey: ['webhooks', 'endpoints', endpointId],
    queryFn: () => call('getWebhookEndpoint', { params: { webhook_endpoint_id: endpointId } }),
    refetchInterval: refetchMs,
  });
}

export function statsQuery(endpointId: string) {
  return queryOptions({
    queryKey: ['webhooks', 'endpoints', endpointId, 'stats'],
    queryFn: () => call('getWebhookStats', { params: { webhook_endpoint_id: endpointId } }),
    refetchInterval: statsRefetchMs,
  });
}

/** The filter of a list of deliveries, as the URL has it. An absent value does not filter. */
export type DeliverySearch = { outcome?: string; type?: string; shipment?: string; hours?: string };

type ListQuery = NonNullable<InputOf<'listWebhookDeliveries'>['query']>;

export function deliveriesQuery(endpointId: string, { outcome, type, shipment, hours }: DeliverySearch) {
  return infiniteQueryOptions({
    queryKey: ['webhooks', 'endpoints', endpointId, 'deliveries', outcome, type, shipment, hours],
    queryFn: ({ pageParam: page }) => {
      const since = page?.since ?? sinceOf(hours);
      return call('listWebhookDeliveries', {
        params: { webhook_endpoint_id: endpointId },
        query: {
          limit: pageSize,
          ...(outcome === undefined ? {} : { outcome: [outcome] as NonNullable<ListQuery['outcome']> }),
          ...(type === undefined ? {} : { type: [type] as NonNullable<ListQuery['type']> }),
          ...(shipment === undefined ? {} : { shipment_id: shipment }),
          ...(since === null ? {} : { since }),
          ...(page === null ? {} : { cursor: page.cursor }),
        },
      }).then((list) => ({ ...list, since }));
    },
    initialPageParam: null as { cursor: string; since: string | null } | null,
    // A cursor belongs to its filter, so that the next page asks for the same time.
    getNextPageParam: ({ page, since }) => (page.next_cursor === null ? null : { cursor: page.next_cursor, since }),
    refetchInterval: refetchMs,
  });
}

function sinceOf(hours: string | undefined): string | null {
  const count = Number(hours);
  return count > 0 ? new Date(Date.now() - count * 3_600_000).toISOString() : null;
}

export function deliveryQuery(endpointId: string, deliveryId: string) {
  return queryOptions({
    queryKey: ['webhooks', 'endpoints', endpointId, 'delivery', deliveryId],
    queryFn: () => call('getWebhookDelivery', { params: { webhook_endpoint_id: endpointId, delivery_id: deliveryId } }),
    refetchInterval: refetchMs,
  });
}

export function replaysQuery(endpointId: string) {
  return queryOptions({
    queryKey: ['webhooks', 'endpoints', endpointId, 'replays'],
    queryFn: async () =>
      (await call('listWebhookReplays', { params: { webhook_endpoint_id: endpointId }, query: { limit: 5 } })).data,
    refetchInterval: ({ state }) =>
      state.data?.some((replay) => replay.state === 'running') === true ? refetchMs / 2 : refetchMs * 3,
  });
}

/** Reads everything about endpoints again, after one was changed. */
export function reloadEndpoints(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: endpointsQuery.queryKey });
}
