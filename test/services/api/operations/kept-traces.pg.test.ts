import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TracePart } from '#shared/domain/installation/trace.ts';
import { createTraceRecorder } from '#shared/telemetry/traces/trace-recorder.ts';
import { watchHttpServers } from '#shared/telemetry/watch-http-server.ts';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { uniqueNumber } from '#test/support/core-context.ts';

const recorder = createTraceRecorder({ inner: null, service: 'landfall-api' });
let api: TestApi;

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(
    new TracerProvider({ sampler: recorder.sampler, spanProcessors: [recorder.processor] }),
  );
  watchHttpServers();
  api = await startTestApi();
});
afterAll(() => api.close());

/**
 * Returns the reasons for which the parts of each trace were kept, by trace id, of the requests in `work`. The sampling
 * share is zero.
 */
async function keptDuring(work: () => Promise<void>): Promise<Map<string, TracePart['keptFor']>> {
  const kept = new Map<string, TracePart['keptFor']>();
  const recording = recorder.attach({
    share: 0,
    slowMs: 600_000,
    log: { info: () => undefined, warn: () => undefined },
    write: async (parts) => {
      for (const { traceId, keptFor } of parts) kept.set(traceId, keptFor);
    },
  });
  await work();
  await recording.close();
  return kept;
}

const traceOf = (answer: Response) => answer.headers.get('x-trace-id') ?? expect.fail('no X-Trace-Id');
const ocean = () => ({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } });

it('keeps the trace of a requested refresh and those of test mode, and no other trace at a share of none', async () => {
  const testKey = await api.createKey({ scopes: ['shipments:read', 'shipments:write'], test: true });
  const traces: string[] = [];
  const kept = await keptDuring(async () => {
    const registered = await api.post('/v1/shipments', ocean());
    const { shipment_id: id } = (await registered.json()) as { shipment_id: string };
    const refreshed = await api.post(`/v1/shipments/${id}/refresh`, {});
    const tested = await api.post('/v1/shipments', ocean(), { authorization: `Bearer ${testKey.secret}` });
    expect([registered.status, refreshed.status, tested.status]).toEqual([201, 202, 201]);
    traces.push(...[registered, refreshed, tested].map(traceOf));
  });
  expect(traces.map((traceId) => kept.get(traceId))).toEqual([undefined, 'requested', 'test']);
});
