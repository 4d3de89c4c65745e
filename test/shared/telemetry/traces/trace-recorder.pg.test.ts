import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { context, ROOT_CONTEXT, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTrace } from '#shared/core/installation/find-traces.ts';
import { openTraceStore, type TraceStore } from '#shared/store/open-trace-store.ts';
import { insertSpans } from '#shared/store/system/insert-spans.ts';
import { createOtlpProcessor } from '#shared/telemetry/traces/otlp-processor.ts';
import { spanCounts } from '#shared/telemetry/traces/span-counts.ts';
import { createTraceRecorder, type TraceRecorder } from '#shared/telemetry/traces/trace-recorder.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { patienceMs } from '#test/support/until.ts';

let core: TestCore;
let traces: TraceStore;
const said: string[] = [];
const log = { info: (_: object, text: string) => said.push(text), warn: (_: object, text: string) => said.push(text) };

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  traces = openTraceStore({ databaseUrl: core.serviceUrl, timeoutMs: patienceMs, onError: () => undefined });
});
afterAll(async () => {
  await traces.close();
  await core.close();
});

/** Its end waits for what is being written, however long a busy machine takes. */
const limits = { closeMs: patienceMs };
const attach = (recorder: TraceRecorder, share = 1, store = traces) =>
  recorder.attach({ share, slowMs: 60_000, write: (parts) => insertSpans(store, parts), limits, log: log as never });

function fail(provider: TracerProvider): string {
  const span = provider.getTracer('test').startSpan('work', {}, ROOT_CONTEXT);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  return span.spanContext().traceId;
}

it('records spans only while a store is attached, but always assigns trace ids', async () => {
  const recorder = createTraceRecorder({ inner: null, service: 'landfall-test' });
  const provider = new TracerProvider({ sampler: recorder.sampler, spanProcessors: [recorder.processor] });
  const before = fail(provider);
  const recording = attach(recorder);
  const during = fail(provider);
  await recording.close();
  const after = fail(provider);
  for (const id of [before, during, after]) expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(await readTrace(core.ctx, before)).toBeNull();
  expect((await readTrace(core.ctx, during))?.spans).toMatchObject([
    { name: 'work', service: 'landfall-test', status: 'error' },
  ]);
  expect(await readTrace(core.ctx, after)).toBeNull();
});

it('stores a span that OTLP does not sample, and does not export it', async () => {
  const exporter = new InMemorySpanExporter();
  const recorder = createTraceRecorder({ inner: new AlwaysOffSampler(), service: 'landfall-test' });
  const provider = new TracerProvider({
    sampler: recorder.sampler,
    spanProcessors: [recorder.processor, new SimpleSpanProcessor({ exporter })],
  });
  const recording = attach(recorder);
  const traceId = fail(provider);
  await recording.close();
  expect((await readTrace(core.ctx, traceId))?.spans).toHaveLength(1);
  expect(exporter.getFinishedSpans()).toEqual([]);
});

it('continues a trace that started elsewhere, and keeps ordinary parts by the same rule', async () => {
  const recorder = createTraceRecorder({ inner: null, service: 'landfall-test' });
  const provider = new TracerProvider({ sampler: recorder.sampler, spanProcessors: [recorder.processor] });
  const recording = attach(recorder, 0.1);
  const [kept, left] = ['0af7651916cd43dd8448eb2100000001', '0af7651916cd43dd8448eb21ffffffff'] as const;
  for (const traceId of [kept, left]) {
    const remote = { traceId, spanId: '00f067aa0ba902b7', traceFlags: TraceFlags.NONE, isRemote: true };
    provider.getTracer('test').startSpan('process', {}, trace.setSpanContext(ROOT_CONTEXT, remote)).end();
  }
  await recording.close();
  expect((await readTrace(core.ctx, kept))?.spans).toMatchObject([
    { name: 'process', parentSpanId: '00f067aa0ba902b7' },
  ]);
  expect(await readTrace(core.ctx, left)).toBeNull();
});

it('drops and counts spans while the table is locked, reports it once, and never waits', async () => {
  const locker = new pg.Client({ connectionString: core.databaseUrl });
  await locker.connect();
  await locker.query('begin; lock table landfall.spans in access exclusive mode');
  const recorder = createTraceRecorder({ inner: null, service: 'landfall-test' });
  const provider = new TracerProvider({ sampler: recorder.sampler, spanProcessors: [recorder.processor] });
  const hasty = openTraceStore({ databaseUrl: core.serviceUrl, onError: () => undefined });
  const recording = attach(recorder, 1, hasty);
  const before = spanCounts().dropped.write_failed ?? 0;
  said.length = 0;
  const lost = Array.from({ length: 200 }, () => fail(provider));
  expect(await core.store.app.query('select 1 as one').then(({ rows }) => rows)).toEqual([{ one: 1 }]);
  await expect.poll(() => (spanCounts().dropped.write_failed ?? 0) - before).toBe(200);
  await locker.query('rollback');
  await locker.end();
  await recording.close();
  await hasty.close();
  expect(said).toEqual(['trace store unavailable; dropping traces']);
  expect(await readTrace(core.ctx, lost[0] ?? '')).toBeNull();
  const again = attach(recorder);
  const kept = fail(provider);
  await again.close();
  expect((await readTrace(core.ctx, kept))?.spans).toHaveLength(1);
});

it('counts drops and keeps storing while a collector never responds, and never waits', async () => {
  const deaf = createServer(() => undefined);
  deaf.listen(0, '127.0.0.1');
  await once(deaf, 'listening');
  const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/v1/traces`;
  for (const [name, value] of [
    ['QUEUE_SIZE', '10'],
    ['EXPORT_BATCH_SIZE', '10'],
  ] as const)
    process.env[`OTEL_BSP_MAX_${name}`] = value;
  const otlp = createOtlpProcessor(new OTLPTraceExporter({ url, timeoutMillis: 300 }));
  const recorder = createTraceRecorder({ inner: new AlwaysOnSampler(), service: 'landfall-test' });
  const provider = new TracerProvider({ sampler: recorder.sampler, spanProcessors: [recorder.processor, otlp] });
  const recording = attach(recorder);
  const before = spanCounts().dropped;
  const ids = Array.from({ length: 50 }, () => fail(provider));
  const full = (spanCounts().dropped.otlp_queue_full ?? 0) - (before.otlp_queue_full ?? 0);
  expect(full).toBeGreaterThanOrEqual(30);
  await otlp.shutdown().catch(() => undefined);
  deaf.closeAllConnections();
  deaf.close();
  await recording.close();
  expect((spanCounts().dropped.otlp_failed ?? 0) - (before.otlp_failed ?? 0) + full).toBe(50);
  expect((await readTrace(core.ctx, ids.at(-1) ?? ''))?.spans).toHaveLength(1);
});

it('does not trace its own writes', async () => {
  const recorder = createTraceRecorder({ inner: null, service: 'landfall-test' });
  const provider = new TracerProvider({ sampler: recorder.sampler, spanProcessors: [recorder.processor] });
  let written = 0;
  const recording = recorder.attach({
    share: 1,
    slowMs: 60_000,
    limits,
    log: log as never,
    write: async () => {
      written += 1;
      provider.getTracer('test').startSpan('insert', {}, context.active()).end();
    },
  });
  fail(provider);
  await recording.close();
  expect(written).toBe(1);
});
