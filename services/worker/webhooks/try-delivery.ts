import { toEndpointId } from '#shared/contract/webhooks/endpoint-wire.ts';
import type { HeldEndpoint } from '#shared/core/webhooks/claim-endpoints.ts';
import { isDelivered } from '#shared/domain/webhooks/delivery-error.ts';
import type { DeliveryOutcome } from '#shared/domain/webhooks/delivery-outcome.ts';
import { askedPause, pauseAfter } from '#shared/domain/webhooks/tries.ts';
import type { WebhookSender } from '#shared/net/webhook-sender.ts';
import { annotateSpan, currentTraceId, currentTraceparent, inSpan } from '#shared/telemetry/events.ts';
import { addTo, recordSeconds } from '#shared/telemetry/instruments.ts';
import type { PreparedChange } from './prepared-changes.ts';

export type TryContext = { sender: Pick<WebhookSender, 'compose' | 'send'>; now: () => Date; random: () => number };

export type Try = {
  endpoint: Pick<HeldEndpoint, 'endpointId' | 'accountId' | 'target' | 'ordering'>;
  prepared: PreparedChange;
  body: string;
  /** Tries before this one. */
  tries: number;
  /** The request was not counted if it aborts. */
  signal: AbortSignal;
};

/**
 * Sends a delivery once. The first try is part of the trace of its change, so that one trace leads from the carrier's
 * response to the receiver's; later ones only link to it. Null: `signal` ended it, and nothing is known of it.
 */
export async function tryDelivery(ctx: TryContext, tried: Try): Promise<DeliveryOutcome | null> {
  const { endpoint, prepared, body, tries, signal } = tried;
  const { change } = prepared;
  const { traceparent } = change;
  const attributes = {
    'account.id': endpoint.accountId,
    'webhook.endpoint.id': toEndpointId(endpoint.endpointId),
    'webhook.id': prepared.id,
    'webhook.try': tries + 1,
  };
  const links = traceparent === null ? [] : [traceparent];
  const place = tries === 0 && traceparent !== null ? { parent: traceparent } : { root: true, links };
  return inSpan('deliver-webhook', { kind: 'client', attributes, ...place }, async () => {
    const nowMs = ctx.now().getTime();
    const message = { id: prepared.id, body };
    const request = ctx.sender.compose(endpoint.target, message, { nowMs, traceparent: currentTraceparent() });
    const response = await ctx.sender.send(endpoint.target, request, signal);
    if (signal.aborted) return null;
    const { status, error, latencyMs, answer, retryAfter } = response;
    const isDone = isDelivered(response);
    const pauseMs = isDone
      ? null
      : pauseAfter(tries + 1, ctx.random(), askedPause(status, retryAfter, ctx.now().getTime()));
    const state = isDone ? 'delivered' : pauseMs === null ? 'exhausted' : 'waiting';
    annotateSpan({
      'webhook.outcome': state,
      ...(status !== null && { 'http.response.status_code': status }),
      ...(!isDone && { 'error.type': error ?? String(status) }),
    });
    const outcome = state === 'waiting' ? 'retrying' : state;
    addTo('landfall.webhook.tries', 1, { outcome });
    recordSeconds('landfall.webhook.duration', latencyMs / 1000, { outcome });
    if (isDone && tries === 0)
      recordSeconds('landfall.webhook.delay', (ctx.now().getTime() - Date.parse(change.createdAt)) / 1000, {});
    return {
      ...prepared.place,
      state,
      tries: tries + 1,
      nextTryInMs: pauseMs,
      triedAt: new Date(nowMs).toISOString(),
      status,
      latencyMs: Math.round(latencyMs),
      error,
      traceId: currentTraceId(),
      answer,
      holdsBack: endpoint.ordering === 'shipment' && prepared.place.shipmentId !== null,
    };
  });
}
