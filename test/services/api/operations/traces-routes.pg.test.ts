import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerTraceRoutes } from '#services/api/operations/traces-routes.ts';
import { toShipmentId } from '#shared/contract/shipments/shipment-id.ts';
import { openTraceStore, type TraceStore } from '#shared/store/open-trace-store.ts';
import { insertSpans } from '#shared/store/system/insert-spans.ts';
import { createLogger } from '#shared/telemetry/logger.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { newTraceId, tracePart, traceSpan } from '#test/support/trace-parts.ts';

let core: TestCore;
let traces: TraceStore;
let app: FastifyInstance;
const traceId = newTraceId();
const registration = newTraceId();
const shipmentId = '0198f0c1-7a00-7000-8000-000000000001';
const publicId = toShipmentId(shipmentId);
const markup = '<script>alert(1)</script>';

beforeAll(async () => {
  core = await openTestCore();
  traces = openTraceStore({ databaseUrl: core.databaseUrl, onError: () => undefined });
  app = fastify();
  registerTraceRoutes(app, { core: core.ctx, logger: createLogger({ name: 'test', level: 'silent' }) });
  const startedAtUs = Date.now() * 1000;
  const refresh = traceSpan(traceId, {
    startedAtUs,
    durationUs: 2_000_000,
    status: 'error',
    attributes: { 'shipment.id': publicId, 'error.type': markup },
    links: [{ traceId: registration, spanId: '00f067aa0ba902b7' }],
  });
  const call = traceSpan(traceId, {
    name: `GET ${markup}`,
    kind: 'client',
    parentSpanId: refresh.spanId,
    startedAtUs: startedAtUs + 250_000,
    durationUs: 1_500_000,
    status: 'error',
    attributes: { 'http.response.status_code': 503, 'server.address': 'carrier.example', [markup]: markup },
  });
  const found = { failed: true, httpStatus: 503, carrier: 'MAEU', outcome: 'error', shipmentId, durationUs: 2_000_000 };
  await insertSpans(traces, [tracePart({ traceId, spans: [refresh, call], errorType: markup, ...found })]);
});
afterAll(async () => {
  await app.close();
  await traces.close();
  await core.close();
});

const page = (url: string) => app.inject({ url, headers: { accept: 'text/html,application/xhtml+xml' } });

it('a trace is one request away from its id: each span with when, how long and what', async () => {
  const answer = await app.inject({ url: `/operations/traces/${traceId}` });
  expect(answer.headers['content-type']).toContain('application/json');
  expect(answer.json()).toMatchObject({
    trace_id: traceId,
    duration_ms: 2000,
    spans: [
      {
        name: 'refresh-shipment',
        depth: 0,
        offset_ms: 0,
        duration_ms: 2000,
        status: 'error',
        links: [{ trace_id: registration }],
      },
      {
        depth: 1,
        offset_ms: 250,
        duration_ms: 1500,
        attributes: { 'http.response.status_code': 503, 'server.address': 'carrier.example' },
      },
    ],
  });
});

it("a shipment's last traces are one request away from its id", async () => {
  const answer = await app.inject({ url: `/operations/traces?shipment=${publicId}` });
  expect(answer.json()).toEqual({
    data: [
      {
        trace_id: traceId,
        name: 'refresh-shipment',
        services: ['landfall-worker'],
        started_at: expect.stringMatching(/Z$/),
        duration_ms: 2000,
        failed: true,
        http_status: 503,
        error_type: markup,
        outcome: 'error',
        carrier: 'MAEU',
        shipment_id: publicId,
      },
    ],
  });
  expect((await app.inject({ url: '/operations/traces?carrier=NONE' })).json()).toEqual({ data: [] });
});

it('a refresh that was not asked for is one span, and its line says why', async () => {
  const alone = newTraceId();
  const why = 'the circuit of hapag-lloyd is open since 2026-04-15T08:00:00Z, after HTTP 503';
  const refused = traceSpan(alone, {
    name: 'refresh-shipments',
    status: 'error',
    attributes: { 'refresh.not_asked': why },
  });
  await insertSpans(traces, [tracePart({ traceId: alone, spans: [refused], failed: true })]);
  const { body } = await page(`/operations/traces/${alone}`);
  expect(body).toContain(`not asked: ${why}`);
  expect(body).toMatch(/· 1 span ·/);
});

it('as pages they hold nothing of a carrier as markup, run nothing and load nothing', async () => {
  for (const url of [
    '/operations/traces',
    `/operations/traces?shipment=${publicId}`,
    `/operations/traces/${traceId}`,
    `/operations/traces/${encodeURIComponent(markup)}`,
  ]) {
    const answer = await page(url);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.body).not.toContain('<script');
    expect(answer.body).not.toMatch(/ style=| on[a-z]+=|https?:\/\//);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  }
  const { body } = await page(`/operations/traces/${traceId}`);
  expect(body).toContain('&lt;script&gt;');
  expect(body).toContain(`href="/operations/traces/${registration}"`);
  expect(body).toContain(`href="/operations/traces?shipment=${publicId}"`);
  expect(body).toContain('x="125.0" y="1" width="750.0"');
});

it('the list leads to the trace, and its form keeps what was asked for', async () => {
  const { body } = await page(
    '/operations/traces?carrier=MAEU&failed=true&order=slowest&since_s=86400&shipment=&outcome=',
  );
  expect(body).toContain(`href="/operations/traces/${traceId}"`);
  expect(body).toContain('name="carrier" value="MAEU"');
  for (const chosen of ['true', 'slowest', '86400']) expect(body).toContain(`<option value="${chosen}" selected>`);
});

it('a trace that is not kept is 404, and a question that makes no sense names its mistakes', async () => {
  expect((await app.inject({ url: `/operations/traces/${newTraceId()}` })).statusCode).toBe(404);
  expect((await page(`/operations/traces/${newTraceId()}`)).statusCode).toBe(404);
  expect((await app.inject({ url: '/operations/traces/not-an-id' })).statusCode).toBe(404);
  const wrong = await app.inject({ url: '/operations/traces?shipment=12&since_s=0&unknown=1' });
  expect(wrong.statusCode).toBe(400);
  expect(JSON.stringify(wrong.json())).toMatch(/shipment.*since_s|since_s.*shipment/);
});
