import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildOperationsServer } from '#services/api/operations/build-operations-server.ts';
import { answerOf } from '#services/dashboard/screens/operations/answer-sentence.ts';
import { wireOperations } from '#shared/contract/installation/operations-wire.ts';
import { wireTrace, wireTraces } from '#shared/contract/installation/trace-wire.ts';
import { refreshQueues } from '#shared/domain/carriers/carrier-catalogue.ts';
import { hostCheck } from '#shared/domain/installation/allowed-host.ts';
import { timedTraceId } from '#shared/domain/installation/trace.ts';
import { limitReadTime, readDue, readFailedRefreshes, readUsualDurations } from '#shared/store/system/operations.ts';
import { readWaitingWork } from '#shared/store/system/tracking/waiting-work.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { newTraceId } from '#test/support/api/trace-parts.ts';
import { markup, type SeededOperations, seedOperations } from '#test/support/browser/seeded-operations.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

const token = 'a-token-of-sixteen-and-more';
const browser = { accept: 'text/html,application/xhtml+xml', host: 'localhost' };
const pages = ['/operations', '/operations/traces?carrier=MAEU', `/operations/traces/${newTraceId()}`];

let api: TestApi;
let operations: FastifyInstance;
let folder: string;
let seeded: SeededOperations;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-operations-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'operations.html'), '<!doctype html><title>The screens</title>');
  writeFileSync(join(folder, 'theme.js'), '// the theme');
  writeFileSync(join(folder, 'assets', 'operations-1.js'), '// the screens');
  api = await startTestApi({}, { openDatabase: ownDatabase, webAppFolder: folder });
  operations = serverOf(null);
  seeded = await seedOperations(api);
});
afterAll(async () => {
  await operations.close();
  await api.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = { host: 'localhost' }) =>
  operations.inject({ url, headers });

function serverOf(given: string | null, webAppFolder = folder): FastifyInstance {
  const ctx = { ...api.ctx, settings: { ...api.ctx.settings, webAppFolder } };
  return buildOperationsServer(ctx, { guard: { token: given, isAllowedHost: hostCheck([]) }, readMetrics: () => null });
}

it('returns the state as JSON: the failing and the slow carrier, and the trace of each error', async () => {
  const answer = await get('/operations');
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', vary: 'accept' });
  const state = wireOperations.parse(answer.json());
  // As the workers report it, and as the answering process measures it.
  expect(state.loop_delay_ms).toEqual({ api: 2, worker: 10 });
  expect(state.completed_age_s).toBeGreaterThanOrEqual(1);
  const texts = answerOf(state).troubles.map(({ text }) => text);
  const failing = texts.findIndex((text) =>
    text.includes('Hapag-Lloyd is failing: 92% of its last 50 calls failed, most with HTTP 500.'),
  );
  expect(failing).toBeGreaterThanOrEqual(0);
  expect(texts.findIndex((text) => text.includes('Maersk is slow: p95 8.2 s'))).toBeGreaterThan(failing);
  expect(texts.join()).not.toContain('ZIM');
  expect(state.recent).toMatchObject([{ trace_id: seeded.traceId, shipment_id: seeded.shipmentId, http_status: 500 }]);
});

it('reports an unavailable queue instead of waiting for it', async () => {
  expect((await get('/operations')).json()).toMatchObject({ queues: null });
});

it('returns a trace by its id: each span with its start, duration and attributes', async () => {
  const answer = await get(`/operations/traces/${seeded.traceId}`);
  expect(answer.headers['content-type']).toContain('application/json');
  expect(wireTrace.parse(answer.json())).toMatchObject({
    trace_id: seeded.traceId,
    duration_ms: 2000,
    spans: [
      {
        name: 'refresh-shipment',
        depth: 0,
        offset_ms: 0,
        duration_ms: 2000,
        status: 'error',
        links: [{ trace_id: seeded.registration }],
      },
      {
        depth: 1,
        offset_ms: 250,
        duration_ms: 1500,
        attributes: { 'http.response.status_code': 503, 'server.address': 'carrier.example' },
      },
      { depth: 1, duration_ms: 0.64 },
    ],
  });
});

it('returns the last traces of a shipment', async () => {
  const answer = await get(`/operations/traces?shipment=${seeded.shipmentId}`);
  expect(wireTraces.parse(answer.json())).toEqual({
    data: [
      {
        trace_id: seeded.traceId,
        name: 'refresh-shipment',
        services: ['landfall-worker'],
        started_at: expect.stringMatching(/Z$/),
        duration_ms: 2000,
        failed: true,
        http_status: 503,
        error_type: markup,
        outcome: 'error',
        carrier: 'HLCU',
        shipment_id: seeded.shipmentId,
      },
    ],
  });
  expect((await get('/operations/traces?carrier=NONE')).json()).toEqual({ data: [] });
});

it('filters traces, and ignores the empty fields of a form', async () => {
  const found = async (query: string) =>
    wireTraces.parse((await get(`/operations/traces?${query}`)).json()).data.map(({ trace_id: id }) => id);
  expect(await found('carrier=HLCU&failed=true&order=slowest&since_s=86400&shipment=&outcome=')).toEqual([
    seeded.traceId,
  ]);
  expect((await found('failed=true&order=slowest'))[0]).toBe(seeded.traceId);
  expect(await found('failed=true&limit=1')).toHaveLength(1);
  expect(await found('outcome=changed')).toEqual([]);
});

it('distinguishes an unknown trace id from a trace that was not kept or has expired', async () => {
  const answered = async (traceId: string) => {
    const answer = await get(`/operations/traces/${traceId}`);
    return [answer.statusCode, answer.json().code, answer.json().detail];
  };
  const now = Date.now();
  for (const unknown of ['not-an-id', 'f'.repeat(32), timedTraceId(newTraceId(), now + 3 * 86_400_000)])
    expect(await answered(unknown)).toEqual([404, 'trace_not_found', 'Trace not found. Check the id.']);
  expect(await answered(timedTraceId(newTraceId(), now))).toEqual([
    404,
    'trace_not_kept',
    expect.stringContaining('was not kept, or has not ended yet'),
  ]);
  expect(await answered(timedTraceId(newTraceId(), now - 3 * 86_400_000))).toEqual([
    404,
    'trace_not_kept',
    'This trace has expired. Traces are kept for 48 hours.',
  ]);
});

it('names every mistake of a query', async () => {
  const wrong = await get('/operations/traces?shipment=12&since_s=0&unknown=1');
  expect(wrong.statusCode).toBe(400);
  expect(JSON.stringify(wrong.json())).toMatch(/shipment.*since_s|since_s.*shipment/);
});

it('sends a browser the screens, under the policy of the dashboard: only own files run, and nothing else loads', async () => {
  const dashboard = await api.app.inject({ url: '/', headers: browser });
  for (const url of pages) {
    const answer = await get(url, browser);
    expect([answer.statusCode, answer.body]).toEqual([200, '<!doctype html><title>The screens</title>']);
    expect(answer.headers).toMatchObject({ vary: 'accept', 'content-type': 'text/html; charset=utf-8' });
    for (const name of ['content-security-policy', 'referrer-policy', 'x-content-type-options', 'cache-control'])
      expect(answer.headers[name], name).toBe(dashboard.headers[name]);
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
  }
});

it('requires the token for pages and data, but not for the files of the screens, which contain no data', async () => {
  const guarded = serverOf(token);
  const status = async (url: string, headers = {}) => (await guarded.inject({ url, headers })).statusCode;
  for (const url of pages) {
    expect(await status(url, browser), url).toBe(401);
    expect(await status(url), url).toBe(401);
  }
  expect(await status('/operations/now')).toBe(401);
  expect(await status('/assets/operations-1.js')).toBe(200);
  expect(await status('/theme.js')).toBe(200);
  expect(await status('/assets/missing.js')).toBe(404);
  expect(await status('/assets/..%2foperations.html')).toBe(404);
  await guarded.close();
});

it('serves no other data of the API', async () => {
  for (const url of ['/v1/shipments', '/dashboard/api/operations', '/dashboard/api/session', '/index.html', '/docs']) {
    expect((await get(url)).statusCode, url).toBe(404);
    expect((await get(url, browser)).statusCode, url).toBe(404);
  }
});

it('says in one line how to build missing screens, and still returns JSON', async () => {
  const unbuilt = serverOf(null, join(folder, 'missing'));
  const answer = await unbuilt.inject({ url: '/operations', headers: browser });
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['content-type']).toContain('text/plain');
  expect(answer.body).toMatch(/^The operations screens are not built\. Run "[^\n]+"[^\n]+\n$/);
  const json = await unbuilt.inject({ url: '/operations', headers: { host: 'localhost' } });
  expect(wireOperations.parse(json.json()).connectors).toHaveLength(3);
  await unbuilt.close();
});

it('scans no table of work for the page or the gauges', async () => {
  await withSystem(api.ctx.core.store, async (tx) => {
    await tx.query('set local enable_seqscan = off');
    const explaining = (texts: string[]) =>
      ({
        query: async (statement: { text: string; values?: unknown[] } | string) => {
          if (typeof statement === 'string') return tx.query(statement);
          const { rows } = await tx.query<{ 'QUERY PLAN': string }>({
            text: `explain ${statement.text}`,
            values: statement.values ?? [],
          });
          texts.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
          return tx.query({ text: statement.text, values: statement.values ?? [] });
        },
      }) as unknown as typeof tx;
    const plans: string[] = [];
    const asked = explaining(plans);
    await limitReadTime(asked);
    await readWaitingWork(asked, refreshQueues);
    await readDue(asked, refreshQueues);
    await readFailedRefreshes(asked);
    await readUsualDurations(asked);
    expect(plans).toHaveLength(4);
    for (const plan of plans)
      expect(plan).not.toMatch(/Seq Scan on (polling|refreshes|changes|carrier_deliveries|shipments)/);
    expect(plans[0]).toContain('polling_due');
    expect(plans[0]).toContain('carrier_deliveries_pending');
    expect(plans[0]).toContain('changes_unsequenced');
  });
});
