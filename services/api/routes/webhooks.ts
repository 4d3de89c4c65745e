import { toWireDelivery, toWireDeliveryRecord } from '#shared/contract/webhooks/delivery-wire.ts';
import {
  toWireEndpoint,
  toWireEndpointWithSecret,
  toWireListedEndpoint,
} from '#shared/contract/webhooks/endpoint-wire.ts';
import { toWireReplay } from '#shared/contract/webhooks/replay-wire.ts';
import { toWireStats } from '#shared/contract/webhooks/stats-wire.ts';
import { deliveryCursor, endpointCursor, replayCursor } from '#shared/contract/webhooks/webhook-queries.ts';
import { createWebhookEndpoint } from '#shared/core/webhooks/create-endpoint.ts';
import { deleteWebhookEndpoint } from '#shared/core/webhooks/delete-endpoint.ts';
import { disableWebhookEndpoint, enableWebhookEndpoint } from '#shared/core/webhooks/enable-endpoint.ts';
import { getWebhookDelivery, listWebhookDeliveries } from '#shared/core/webhooks/read-deliveries.ts';
import { getWebhookEndpoint, listWebhookEndpoints } from '#shared/core/webhooks/read-endpoints.ts';
import { getWebhookStats } from '#shared/core/webhooks/read-stats.ts';
import {
  cancelWebhookReplay,
  getWebhookReplay,
  listWebhookReplays,
  replayWebhookEndpoint,
} from '#shared/core/webhooks/replay-endpoint.ts';
import { resendWebhookDelivery } from '#shared/core/webhooks/resend-delivery.ts';
import { rotateWebhookSecret } from '#shared/core/webhooks/rotate-secret.ts';
import { testWebhookEndpoint } from '#shared/core/webhooks/test-endpoint.ts';
import { updateWebhookEndpoint } from '#shared/core/webhooks/update-endpoint.ts';
import { nextPageLink } from '../http/answer-headers.ts';
import { answer, type Routes } from '../plugins/serve.ts';

/** A page and the header that links to the next one. */
function pageOf<Item>(data: Item[], page: { limit: number; nextCursor: string | null; url: string }) {
  const { limit, nextCursor, url } = page;
  const body = { data, page: { limit, has_more: nextCursor !== null, next_cursor: nextCursor } };
  return answer(200, body, nextPageLink(url, nextCursor));
}

export const webhookRoutes = {
  async listWebhookEndpoints({ ctx, caller, query, request }) {
    const { endpoints, hasMore } = await listWebhookEndpoints(ctx.core, caller, query);
    const last = endpoints.at(-1);
    const nextCursor = hasMore && last !== undefined ? endpointCursor(last.id) : null;
    return pageOf(endpoints.map(toWireListedEndpoint), { limit: query.limit, nextCursor, url: request.url });
  },

  createWebhookEndpoint: async ({ ctx, caller, body }) =>
    toWireEndpointWithSecret(await createWebhookEndpoint(ctx.core, caller, body)),

  getWebhookEndpoint: async ({ ctx, caller, params }) =>
    toWireEndpoint(await getWebhookEndpoint(ctx.core, caller, params.endpointId)),

  updateWebhookEndpoint: async ({ ctx, caller, params, body }) =>
    toWireEndpoint(await updateWebhookEndpoint(ctx.core, caller, { id: params.endpointId, update: body })),

  async deleteWebhookEndpoint({ ctx, caller, params }) {
    await deleteWebhookEndpoint(ctx.core, caller, params.endpointId);
    return undefined;
  },

  rotateWebhookSecret: async ({ ctx, caller, params, body }) =>
    toWireEndpointWithSecret(await rotateWebhookSecret(ctx.core, caller, { id: params.endpointId, ...body })),

  testWebhookEndpoint: async ({ ctx, caller, params }) =>
    toWireDeliveryRecord(await testWebhookEndpoint(ctx.core, caller, params.endpointId)),

  enableWebhookEndpoint: async ({ ctx, caller, params, body }) =>
    toWireEndpoint(await enableWebhookEndpoint(ctx.core, caller, { id: params.endpointId, ...body })),

  disableWebhookEndpoint: async ({ ctx, caller, params }) =>
    toWireEndpoint(await disableWebhookEndpoint(ctx.core, caller, params.endpointId)),

  getWebhookStats: async ({ ctx, caller, params, query }) =>
    toWireStats(await getWebhookStats(ctx.core, caller, { id: params.endpointId, ...query })),

  async listWebhookDeliveries({ ctx, caller, params, query, request }) {
    const { filter, ...selection } = query;
    const { deliveries, next } = await listWebhookDeliveries(ctx.core, caller, { ...params, ...selection });
    const nextCursor = next === null ? null : deliveryCursor(filter, next);
    return pageOf(deliveries.map(toWireDelivery), { limit: query.limit, nextCursor, url: request.url });
  },

  getWebhookDelivery: async ({ ctx, caller, params }) =>
    toWireDeliveryRecord(await getWebhookDelivery(ctx.core, caller, params)),

  resendWebhookDelivery: async ({ ctx, caller, params }) =>
    toWireDelivery(await resendWebhookDelivery(ctx.core, caller, params)),

  replayWebhookEndpoint: async ({ ctx, caller, params, body }) =>
    toWireReplay(await replayWebhookEndpoint(ctx.core, caller, { ...params, ...body })),

  async listWebhookReplays({ ctx, caller, params, query, request }) {
    const { replays, hasMore } = await listWebhookReplays(ctx.core, caller, { ...params, ...query });
    const last = replays.at(-1);
    const nextCursor = hasMore && last !== undefined ? replayCursor(last.id) : null;
    return pageOf(replays.map(toWireReplay), { limit: query.limit, nextCursor, url: request.url });
  },

  getWebhookReplay: async ({ ctx, caller, params }) => toWireReplay(await getWebhookReplay(ctx.core, caller, params)),

  cancelWebhookReplay: async ({ ctx, caller, params }) =>
    toWireReplay(await cancelWebhookReplay(ctx.core, caller, params)),
} satisfies Partial<Routes>;
