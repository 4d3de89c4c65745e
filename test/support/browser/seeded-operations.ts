import { randomUUID } from 'node:crypto';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { reportCarrierHealth } from '#shared/core/carriers/report-carrier-health.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { openTraceStore } from '#shared/store/open-trace-store.ts';
import { insertSpans } from '#shared/store/system/insert-spans.ts';
import { insertRefresh } from '#shared/store/tracking/refreshes.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import type { TestApi } from '#test/support/api/api.ts';
import { newTraceId, tracePart, traceSpan } from '#test/support/api/trace-parts.ts';
import { oceanRegistration } from '#test/support/core-context.ts';
import { patienceMs } from '#test/support/until.ts';

export type SeededOperations = {
  /** In the form of the API. */
  shipmentId: string;
  /** A refresh whose call failed with HTTP 503. */
  traceId: string;
  /** The registration that the refresh links to. Not stored. */
  registration: string;
  /** A refresh that did not call the carrier. */
  pausedTraceId: string;
  why: string;
};

/** Markup that a carrier may send in an error. */
export const markup = '<script>alert(1)</script>';

/** Hapag-Lloyd fails, Maersk is slow, ZIM is fine; one failed refresh of Hapag-Lloyd and two traces of this hour. */
export async function seedOperations(api: TestApi): Promise<SeededOperations> {
  const { core } = api.ctx;
  const health = {
    requests: 50,
    succeeded: 50,
    latencyP50Ms: 60,
    latencyP95Ms: 90,
    lastSuccessAt: new Date().toISOString(),
    lastErrorAt: null,
    lastErrorReason: null,
    circuit: 'closed' as const,
    budgetLeft: 9,
    closedUntil: null,
    credentialId: randomUUID(),
  };
  const error = { lastErrorAt: new Date().toISOString(), lastErrorReason: 'carrier_unreachable' as const };
  await reportCarrierHealth(core, randomUUID(), {
    served: [],
    loopDelayMs: 10,
    completedAgeS: 1,
    health: [
      { ...health, connector: 'maersk', latencyP50Ms: 5000, latencyP95Ms: 8200 },
      { ...health, connector: 'hapag-lloyd', succeeded: 4, ...error },
      { ...health, connector: 'zim' },
    ],
  });
  // The report of a worker counts for half a minute. A slow test still needs it.
  await withSystem(core.store, async (tx) => {
    await tx.query("update landfall.carrier_health set updated_at = now() + interval '1 hour'");
    await tx.query("update landfall.workers set seen_at = now() + interval '1 hour'");
  });
  const caller = {
    accountId: api.accountId,
    keyId: null,
    scopes: [],
    test: false,
    requestId: 'req',
    idempotency: null,
  };
  const { shipment } = await registerShipment(core, caller, oceanRegistration({ carrier: 'HLCU' }));
  const traceId = newTraceId();
  await withAccount(core.store, api.accountId, (tx) =>
    insertRefresh(tx, api.accountId, shipment.id, {
      outcome: 'error',
      reason: 'carrier_unreachable',
      httpStatus: 500,
      durationMs: 12,
      eventsAdded: 0,
      source: 'hapag-lloyd',
      traceId,
      traceKept: true,
    }),
  );
  return { shipmentId: toShipmentId(shipment.id), traceId, ...(await seedTraces(api, traceId, shipment.id)) };
}

async function seedTraces(api: TestApi, traceId: string, shipmentId: string) {
  const registration = newTraceId();
  const startedAtUs = Date.now() * 1000;
  const refresh = traceSpan(traceId, {
    startedAtUs,
    durationUs: 2_000_000,
    status: 'error',
    attributes: { 'shipment.id': toShipmentId(shipmentId), 'error.type': markup },
    links: [{ traceId: registration, spanId: '00f067aa0ba902b7' }],
  });
  const call = traceSpan(traceId, {
    name: `GET ${markup}`,
    kind: 'client',
    parentSpanId: refresh.spanId,
    startedAtUs: startedAtUs + 250_000,
    durationUs: 1_500_000,
    status: 'error',
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 503,
      'server.address': 'carrier.example',
      [markup]: markup,
    },
  });
  const query = traceSpan(traceId, {
    name: 'record-reading',
    parentSpanId: refresh.spanId,
    startedAtUs: startedAtUs + 1_800_000,
    durationUs: 640,
  });
  const found = { failed: true, httpStatus: 503, carrier: 'HLCU', outcome: 'error', shipmentId, durationUs: 2_000_000 };
  const pausedTraceId = newTraceId();
  const why = 'the circuit of hapag-lloyd is open since 2026-04-15T08:00:00Z, after HTTP 503';
  const paused = traceSpan(pausedTraceId, {
    name: 'refresh-shipments',
    status: 'error',
    attributes: { 'refresh.not_asked': why },
  });
  const traces = openTraceStore({ databaseUrl: api.serviceUrl, timeoutMs: patienceMs, onError: () => undefined });
  await insertSpans(traces, [
    tracePart({ traceId, spans: [refresh, call, query], errorType: markup, ...found }),
    tracePart({ traceId: pausedTraceId, spans: [paused], failed: true }),
  ]);
  await traces.close();
  return { registration, pausedTraceId, why };
}
