import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildOperationsServer } from '#services/api/operations/build-operations-server.ts';
import { throughCircuit } from '#services/worker/calls/carrier-http.ts';
import { createCarrierRecorder } from '#services/worker/pacing/carrier-health.ts';
import { openCircuit } from '#services/worker/pacing/circuit.ts';
import { countRefusedWrite, measureRefresh, reportUnreadable } from '#services/worker/refresh/record.ts';
import { measureWaitingWork } from '#shared/core/tracking/measure-waiting-work.ts';
import { carriers, connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import { labelOfConnector } from '#shared/domain/carriers/carrier-label.ts';
import { hostCheck } from '#shared/domain/installation/allowed-host.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { poolWaiting } from '#shared/store/open-store.ts';
import { type Metrics, startMetrics } from '#shared/telemetry/meter-provider.ts';
import { type Metric, metricCatalogue, prometheusName, prometheusSeries } from '#shared/telemetry/metric-catalogue.ts';
import { type PublishedGauges, publishGauges } from '#shared/telemetry/publish-gauges.ts';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { patienceMs } from '#test/support/until.ts';

let api: TestApi;
let metrics: Metrics;
let gauges: PublishedGauges;
let operations: FastifyInstance;
let isQueueUnavailable = false;

const refreshOutcomes = ['changed', 'unchanged', 'not_found', 'error'] as const;
/**
 * Twelve series of a histogram for each carrier and route, and less than twenty carriers in use: far from what a
 * Prometheus notices.
 */
const maxSeries = 6000;

beforeAll(async () => {
  metrics = await startMetrics({ serviceName: 'landfall-api', otlp: false });
  api = await startTestApi({}, { openDatabase: ownDatabase });
  const counts = { waiting: 3, active: 2, delayed: 1, failed: 0 };
  gauges = publishGauges({
    waitingWork: () => measureWaitingWork(api.ctx.core),
    queues: async () => {
      if (isQueueUnavailable) throw new Error('unavailable');
      return connectorCodes.map((connector) => ({ connector, counts }));
    },
    poolWaiting: () => poolWaiting(api.ctx.core.store),
    webhooks: async () => ({ failing: 2, backlog: 43, oldestAgeS: 7 }),
    eventLoop: api.ctx.eventLoop,
    carriers: () => [
      { connector: 'maersk', circuit: 'open', budgetLeft: 4 },
      { connector: 'maersk', circuit: 'closed', budgetLeft: 9 },
    ],
  });
  operations = buildOperationsServer(api.ctx, {
    guard: { token: null, isAllowedHost: hostCheck([]) },
    readMetrics: metrics.readPrometheus,
  });
});
afterAll(async () => {
  gauges.stop();
  await operations.close();
  await api.close();
  await metrics.stop();
});

it('keeps the number of series bounded for a thousand shipments of every carrier, and contains no id', async () => {
  const shipments = Array.from({ length: 1000 }, () => ({
    transport_mode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: uniqueNumber() },
  }));
  expect((await api.post('/v1/shipments/batch', { shipments })).status).toBe(200);
  await api.post('/v1/shipments', { transport_mode: 'ocean', carrier: 'HLCU', identifiers: { mbl: uniqueNumber() } });
  for (let asked = 0; asked < 50; asked += 1) await fetch(`${api.url}/v1/${randomUUID()}`);
  await askEveryCarrier();

  const answer = await operations.inject({ url: '/metrics' });
  const lines = answer.body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines.length).toBeLessThan(maxSeries);
  expect(answer.body).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|(shp|key|acc|req)_[0-9a-z]{10}/);
  const series = new Map<string, Set<string>>();
  const allowed = new Map(
    (metricCatalogue as readonly Metric[]).flatMap((metric) => prometheusSeries(metric).map((name) => [name, metric])),
  );
  for (const line of lines) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    expect(allowed.has(name), line).toBe(true);
    const known = new Set([...(allowed.get(name)?.attributes ?? []).map(prometheusName), 'le']);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) expect(known.has(label), line).toBe(true);
    series.set(name, (series.get(name) ?? new Set()).add(labels));
  }
  expect(series.get('landfall_registrations_total')).toEqual(new Set(['source="batch"', 'source="api"']));
  expect(answer.body).toContain('landfall_registrations_total{source="batch"} 1000');
  expect(
    [...(series.get('landfall_refresh_count_total') ?? [])].filter((labels) => labels.includes('_OTHER')),
  ).toHaveLength(refreshOutcomes.length);
  expect(answer.body).toContain('landfall_events_unreadable_total{carrier="_OTHER"} 200');
  expect(answer.body).toContain('http_route="_OTHER",http_response_status_code="401"');
});

it('reports waiting work, the worst circuit and the lowest budget of a connector', async () => {
  const { body } = await operations.inject({ url: '/metrics' });
  expect(value(body, 'landfall_due_oldest_age')).toBeGreaterThan(0);
  expect(value(body, 'landfall_due_count')).toBeGreaterThan(900);
  expect(value(body, 'landfall_feed_unsequenced_age')).toBeGreaterThan(0);
  expect(value(body, 'landfall_push_oldest_age')).toBe(0);
  expect(value(body, 'landfall_webhook_failing')).toBe(2);
  expect(value(body, 'landfall_webhook_backlog')).toBe(43);
  expect(value(body, 'landfall_webhook_oldest_age')).toBe(7);
  expect(body).toContain('landfall_carrier_circuit{connector="maersk"} 2');
  expect(body).toContain('landfall_carrier_budget_left{connector="maersk"} 4');
  expect(body).toContain('landfall_queue_jobs{connector="maersk",state="waiting"} 3');
  expect(value(body, 'process_memory_usage')).toBeGreaterThan(10_000_000);
});

it('omits the gauge of an unavailable source and answers the scrape', async () => {
  isQueueUnavailable = true;
  const other = publishGauges({
    waitingWork: () => Promise.reject(new Error('unavailable')),
    queues: () => Promise.reject(new Error('unavailable')),
    poolWaiting: () => ({ test: 7 }),
    eventLoop: api.ctx.eventLoop,
  });
  const answer = await operations.inject({ url: '/metrics' });
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain('landfall_db_pool_waiting{pool="test"} 7');
  other.stop();
});

it('returns 503 when no metrics are collected', async () => {
  const silent = buildOperationsServer(api.ctx, {
    guard: { token: null, isAllowedHost: hostCheck([]) },
    readMetrics: () => null,
  });
  const answer = await silent.inject({ url: '/metrics' });
  expect(answer.statusCode).toBe(503);
  await silent.close();
});

/** Every outcome of a refresh and of a call, for every carrier and some invented ones. */
async function askEveryCarrier(): Promise<void> {
  const nowMs = Date.now();
  const codes = [...carriers.map(({ code }) => code), ...Array.from({ length: 100 }, () => randomUUID())];
  for (const carrier of codes) {
    const subject = subjectOf(carrier, nowMs);
    for (const outcome of refreshOutcomes) measureRefresh(subject, outcome, nowMs);
    reportUnreadable(api.ctx.core, { subject, result: unreadable, newUnreadable: 2 });
  }
  countRefusedWrite();
  for (const connector of connectorCodes) {
    for (const [status, text] of [
      [200, '{}'],
      [200, '<html>'],
      [404, ''],
      [429, ''],
      [401, ''],
      [400, ''],
      [500, ''],
    ] as const) {
      const watched = throughCircuit(async () => ({ status, text, headers: new Headers() }), {
        connector,
        settings: { authUrl: null },
        circuit: openCircuit({ firstPauseMs: 1, maxPauseMs: 1, onOpen: () => {}, onClose: () => {} }),
        recorder: createCarrierRecorder(() => new Date()),
        label: labelOfConnector(connector),
        about: [],
      });
      await watched(`https://carrier.example/events/${randomUUID()}`, { signal: AbortSignal.timeout(patienceMs) });
    }
  }
}

const unreadable: FetchResult = {
  outcome: 'found',
  reading: { events: [], unreadable: [{ raw: 1, reason: 'the event is not an object' }], source: 'maersk' },
  httpStatus: 200,
  durationMs: 1,
};

function subjectOf(carrier: string, nowMs: number): RefreshSubject {
  const subject = {
    shipmentId: randomUUID(),
    carrier,
    test: false,
    clockOffsetMs: 0,
    dueAt: new Date(nowMs - 3000).toISOString(),
  };
  return subject as unknown as RefreshSubject;
}

function value(body: string, series: string): number {
  return Number(new RegExp(`^${series} (\\S+)$`, 'm').exec(body)?.[1]);
}
