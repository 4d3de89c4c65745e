import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createCarrierFetch, openCarrierAgent } from '#services/worker/calls/carrier-fetch.ts';
import type { Connector } from '#services/worker/carriers/carrier.ts';
import { refreshShipments } from '#services/worker/refresh/consume.ts';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { findTraces, readTrace } from '#shared/core/installation/find-traces.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { TracePart } from '#shared/domain/installation/trace.ts';
import { openTraceStore, type TraceStore } from '#shared/store/open-trace-store.ts';
import { insertSpans } from '#shared/store/system/insert-spans.ts';
import { currentTraceId, currentTraceparent, inSpan } from '#shared/telemetry/events.ts';
import { createTraceRecorder } from '#shared/telemetry/traces/trace-recorder.ts';
import { anyTrace } from '#test/support/api/any-trace.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { patienceMs } from '#test/support/until.ts';
import { openFakeCarrier } from '../carriers/dcsa/fake-carrier.ts';
import { type FakeWorker, openFakeWorker } from '../fake-access.ts';

// As the telemetry is put together in a service, without the hooks for packages, which need a process of their own.
const recorder = createTraceRecorder({ inner: null, service: 'landfall-worker' });
const provider = new TracerProvider({ sampler: recorder.sampler, spanProcessors: [recorder.processor] });
let core: TestCore;
let traces: TraceStore;
let worker: FakeWorker;
let carrier: Awaited<ReturnType<typeof openFakeCarrier>>;
let parts: TracePart[];
let answering = 503;
let promise: (traceId: string) => boolean = () => false;
const agent = openCarrierAgent();

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  registerInstrumentations({ instrumentations: [new UndiciInstrumentation({ requireParentforSpans: true })] });
  core = await openTestCore(
    {
      traceparent: currentTraceparent,
      keepsTrace: () => promise(currentTraceId() ?? ''),
    },
    ownDatabase,
  );
  traces = openTraceStore({ databaseUrl: core.serviceUrl, timeoutMs: patienceMs, onError: () => undefined });
  carrier = await openFakeCarrier((_asked, response) => response.writeHead(answering).end('{}'));
});
afterAll(async () => {
  await agent.close();
  await carrier.close();
  await traces.close();
  await core.close();
});
beforeEach(() => {
  parts = [];
  worker = openFakeWorker({
    core: core.ctx,
    connector: { code: 'maersk', batchSize: 1, fetch: (...asked) => fetchNow(...asked) },
  });
});
afterEach(() => worker.close());

/** Returns the spans of `work`, which are stored at its end. */
async function traced<T>(work: () => Promise<T>, share = 1): Promise<T> {
  const recording = recorder.attach({
    share,
    slowMs: 60_000,
    limits: { closeMs: patienceMs },
    log: { info: () => undefined, warn: () => undefined } as never,
    write: async (batch) => {
      parts.push(...batch);
      await insertSpans(traces, batch);
    },
  });
  promise = recording.promise;
  try {
    return await work();
  } finally {
    promise = () => false;
    await recording.close();
  }
}

type Tracked = { accountId: string; shipmentId: string; registration: string };

/** A number that a simulated journey is played for, or one that Maersk is asked about. */
async function register(testNumber?: string): Promise<Tracked> {
  const caller = await core.newCaller({ test: testNumber !== undefined });
  const registration = oceanRegistration(testNumber === undefined ? {} : { identifiers: { mbl: testNumber } });
  return inSpan('POST /v1/shipments', { root: true, kind: 'server' }, async () => {
    const { shipment } = await registerShipment(core.ctx, caller, registration);
    return { accountId: caller.accountId, shipmentId: shipment.id, registration: currentTraceId() ?? '' };
  });
}

async function poll(tracked: Tracked, connector: string): Promise<void> {
  await pollAll([tracked], connector);
}

/** In one job. */
async function pollAll(
  tracked: readonly Tracked[],
  connector: string,
  asked: { requested?: boolean } = {},
): Promise<void> {
  const items = (await Promise.all(tracked.map(claim))).map((item) => ({ ...item, ...asked }));
  await context.with(ROOT_CONTEXT, () =>
    refreshShipments(worker.refresh, { connector, items }, new AbortController().signal),
  );
}

async function claim({ accountId, shipmentId }: Tracked) {
  const { rows } = await core.store.system.query<{ epoch: number }>({
    name: 'test-claim',
    text: `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where account_id = $1 and shipment_id = $2 returning epoch`,
    values: [accountId, shipmentId],
  });
  return { accountId, shipmentId, epoch: rows[0]?.epoch ?? -1 };
}

/** Asks as connectors do, and fails as the carrier does. */
const askAndFail: Connector['fetch'] = async (_ctx, subjects, signal) => {
  const fetch = createCarrierFetch(agent, {
    settings: { baseUrl: carrier.baseUrl, authUrl: null },
    maxBodyBytes: 65_536,
  });
  const { status } = await fetch(`${carrier.baseUrl}/events/MAEU123456789?key=secret`, { signal });
  const failed = {
    outcome: 'error' as const,
    httpStatus: status,
    durationMs: 1,
    reason: 'carrier_unreachable' as const,
    permanent: false,
    retryAfterMs: null,
    detail: String(status),
    source: 'simulator:dcsa:maersk',
  };
  return new Map(subjects.map((subject) => [subject.shipmentId, failed]));
};

const findNothing: Connector['fetch'] = async (_ctx, subjects) => {
  const nothing = {
    outcome: 'not_found' as const,
    httpStatus: 404,
    durationMs: 1,
    reason: 'carrier_not_found_yet' as const,
    source: 'simulator:dcsa:maersk',
  };
  return new Map(subjects.map((subject) => [subject.shipmentId, nothing]));
};
let fetchNow = askAndFail;

it('gives each of a thousand refreshes of a shipment its own trace with a link to the registration', async () => {
  await traced(async () => {
    const tracked = await register('TEST-BOOKED');
    for (let count = 0; count < 1001; count++) await poll(tracked, 'test');
    const refreshes = () => parts.flatMap((part) => part.spans).filter((span) => span.name === 'refresh-shipment');
    await expect.poll(() => refreshes().length).toBe(1001);
    const [first, ...later] = refreshes().sort((left, right) => left.startedAtUs - right.startedAtUs);
    expect(first).toMatchObject({ traceId: tracked.registration, links: [] });
    expect(first?.parentSpanId).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(later.map((span) => span.traceId)).size).toBe(1000);
    expect(later.filter((span) => span.parentSpanId !== null || span.traceId === tracked.registration)).toEqual([]);
    expect(new Set(later.flatMap((span) => span.links.map((link) => link.traceId)))).toEqual(
      new Set([tracked.registration]),
    );
    expect(later.every((span) => span.links.length === 1)).toBe(true);
  });
});

it("keeps a failed refresh's trace at any sampling share, with the carrier's status code and duration", async () => {
  answering = 503;
  const tracked = await register();
  const id = toShipmentId(tracked.shipmentId);
  await traced(() => poll(tracked, 'maersk'), 0);
  const [found] = await findTraces(core.ctx, { ...anyTrace, shipmentId: tracked.shipmentId, failed: true });
  expect(found).toMatchObject({
    failed: true,
    httpStatus: 503,
    outcome: 'error',
    carrier: 'MAEU',
    shipmentId: tracked.shipmentId,
  });
  const reported = await readTrace(core.ctx, found?.traceId ?? '');
  const [refresh, call] = reported?.spans ?? [];
  expect(refresh).toMatchObject({
    name: 'refresh-shipment',
    kind: 'internal',
    status: 'error',
    attributes: {
      'account.id': tracked.accountId,
      'shipment.id': id,
      'carrier.code': 'MAEU',
      'refresh.outcome': 'error',
      'error.type': 'carrier_unreachable',
    },
  });
  expect(call).toMatchObject({
    name: 'GET',
    kind: 'client',
    status: 'error',
    depth: 1,
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 503,
      'server.address': '127.0.0.1',
      'error.type': '503',
      'url.path': '/events/:number',
    },
  });
  expect(call?.durationUs).toBeGreaterThan(0);
  expect(JSON.stringify(reported)).not.toMatch(/MAEU123456789|secret/);
});

it('shows since when and after which failure the circuit is open, also for several refreshes of one job', async () => {
  const [first, second] = [await register(), await register()];
  await poll(first, 'maersk');
  await poll(second, 'maersk');
  const service = await worker.access.serviceFor('maersk', first.accountId, 'MAEU');
  for (let count = 0; count < 5; count++) {
    service?.recorder.failed(1, 'carrier_unreachable', 'HTTP 503');
    await service?.circuit.run(async () => ({ status: 503 }), {
      isFailure: () => true,
      isFault: () => true,
      about: [],
    });
  }
  const since = service?.circuit.openSince()?.toISOString().slice(0, 19);
  const why = `the circuit of maersk is open since ${since}Z, after HTTP 503`;
  await traced(async () => {
    await poll(first, 'maersk');
    await pollAll([first, second], 'maersk');
  }, 0);
  const refreshes = parts
    .flatMap((part) => part.spans)
    .map(({ name, status, attributes }) => [name, status, attributes]);
  const reported = { 'carrier.code': 'MAEU', 'refresh.not_asked': why, 'error.type': 'carrier_unreachable' };
  expect(refreshes).toEqual([
    ['refresh-shipment', 'error', expect.objectContaining(reported)],
    ['refresh-shipments', 'error', expect.objectContaining(reported)],
  ]);
});

it('shows that the budget does not cover a refresh', async () => {
  const tracked = await register();
  const { access } = worker;
  worker.refresh.accessFor = async (...asked) => {
    const opened = await access.accessFor(...asked);
    if (opened.kind === 'closed') return opened;
    return {
      ...opened,
      isProbe: false,
      reserve: async () => ({
        granted: 0,
        waitMs: 4200,
        budget: opened.carrierFor([]).budget,
        release: () => undefined,
      }),
    };
  };
  await traced(() => poll(tracked, 'maersk'), 1);
  const spans = parts.flatMap((part) => part.spans);
  expect(spans.find(({ name }) => name === 'refresh-shipment')?.attributes['refresh.not_asked']).toBe(
    'the budget of maersk covers 0 of 1 calls; the rest is due in 4.2 s',
  );
});

it('keeps the trace of a rate-limited refresh, but not of an ordinary one at a share of none', async () => {
  fetchNow = askAndFail;
  answering = 429;
  const limited = await register();
  await traced(() => poll(limited, 'maersk'), 0);
  expect(parts.map((part) => [part.keptFor, part.httpStatus])).toEqual([['limited', 429]]);
  parts = [];
  fetchNow = findNothing;
  const ordinary = await register();
  await traced(() => poll(ordinary, 'maersk'), 0);
  expect(parts).toEqual([]);
});

const trackingOf = async ({ accountId, shipmentId }: Tracked) => {
  const { rows } = await core.store.system.query<{ trace_id: string; trace_kept: boolean; of_refresh: boolean }>({
    text: `
      select p.trace_id, p.trace_kept, r.trace_kept as of_refresh
      from landfall.polling as p
        join landfall.refreshes as r on r.account_id = p.account_id and r.shipment_id = p.shipment_id
      where p.account_id = $1 and p.shipment_id = $2
      order by r.id desc
      limit 1`,
    values: [accountId, shipmentId],
  });
  return rows[0] ?? expect.fail('the shipment is not polled');
};

it('records of each refresh whether its trace is kept, and keeps it then', async () => {
  fetchNow = findNothing;
  const asked = { requested: true };
  const cases: [name: string, tracked: Tracked, work: (tracked: Tracked) => Promise<void>, share: number][] = [
    ['an ordinary one', await register(), (tracked) => poll(tracked, 'maersk'), 0],
    ['one in the share', await register(), (tracked) => poll(tracked, 'maersk'), 1],
    ['one in test mode', await register('TEST-BOOKED'), (tracked) => poll(tracked, 'test'), 0],
    ['a requested one', await register(), (tracked) => pollAll([tracked], 'maersk', asked), 0],
    [
      'a requested one that the sweep claims',
      await requestedOf(await register()),
      (tracked) => poll(tracked, 'maersk'),
      0,
    ],
    [
      'an unchanged one in test mode',
      await polledBefore(await register('TEST-BOOKED')),
      (tracked) => poll(tracked, 'test'),
      0,
    ],
  ];
  const reported: unknown[] = [];
  for (const [name, tracked, work, share] of cases) {
    await traced(() => work(tracked), share);
    const { trace_id: traceId, trace_kept: kept, of_refresh: ofRefresh } = await trackingOf(tracked);
    reported.push([name, kept, ofRefresh, (await readTrace(core.ctx, traceId)) !== null]);
  }
  expect(reported).toEqual([
    ['an ordinary one', false, false, false],
    ...cases.slice(1).map(([name]) => [name, true, true, true]),
  ]);
});

it('records of a failed refresh that its trace is kept', async () => {
  fetchNow = askAndFail;
  answering = 503;
  const tracked = await register();
  await traced(() => poll(tracked, 'maersk'), 0);
  const { trace_id: traceId, ...kept } = await trackingOf(tracked);
  expect(kept).toEqual({ trace_kept: true, of_refresh: true });
  expect(await readTrace(core.ctx, traceId)).not.toBeNull();
});

async function polledBefore(tracked: Tracked): Promise<Tracked> {
  for (let count = 0; count < 2; count++) await poll(tracked, 'test');
  return tracked;
}

async function requestedOf(tracked: Tracked): Promise<Tracked> {
  await core.store.system.query({
    text: 'update landfall.polling set requested_at = now() where account_id = $1 and shipment_id = $2',
    values: [tracked.accountId, tracked.shipmentId],
  });
  return tracked;
}
