import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findTraces, keepTraces, readTrace } from '#shared/core/installation/find-traces.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { openTraceStore, type TraceStore } from '#shared/store/open-trace-store.ts';
import { insertSpans } from '#shared/store/system/insert-spans.ts';
import { anyTrace } from '#test/support/api/any-trace.ts';
import { newTraceId, tracePart, traceSpan } from '#test/support/api/trace-parts.ts';
import { carrierDown, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { patienceMs } from '#test/support/until.ts';

let core: TestCore;
let traces: TraceStore;
let admin: pg.Client;
const owner = `trace_owner_${newTraceId()}`;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  traces = openTraceStore({ databaseUrl: core.serviceUrl, timeoutMs: patienceMs, onError: () => undefined });
  admin = new pg.Client({ connectionString: core.databaseUrl });
  await admin.connect();
  // As on a server where the migrating role is not a superuser: row-level security applies to the tables' owner too.
  await admin.query(`create role ${owner} nologin nosuperuser nobypassrls`);
  await admin.query(`grant usage, create on schema landfall to ${owner}`);
  const { rows } = await admin.query<{ name: string }>(
    `select c.relname as name from pg_class as c
     where c.relnamespace = 'landfall'::regnamespace and c.relkind in ('r', 'p') and c.relname ~ '^(spans|trace_parts)'`,
  );
  for (const { name } of rows) await admin.query(`alter table landfall.${name} owner to ${owner}`);
  await admin.query(`alter function landfall.keep_trace_partitions owner to ${owner}`);
});
afterAll(async () => {
  await admin.query(`reassign owned by ${owner} to current_user`);
  await admin.query(`drop owned by ${owner}`);
  await admin.query(`drop role ${owner}`);
  await admin.end();
  await traces.close();
  await core.close();
});

it('returns a trace of two processes as written, to the microsecond', async () => {
  const traceId = newTraceId();
  const startedAtUs = Date.now() * 1000 + 123;
  const post = traceSpan(traceId, {
    service: 'landfall-api',
    name: 'POST /v1/shipments',
    kind: 'server',
    startedAtUs,
    durationUs: 900,
  });
  const links = [{ traceId: newTraceId(), spanId: '00f067aa0ba902b7' }];
  const refresh = traceSpan(traceId, {
    parentSpanId: post.spanId,
    startedAtUs: startedAtUs + 500,
    durationUs: 777,
    status: 'error',
    attributes: {
      'carrier.code': 'MAEU',
      'refresh.fenced': false,
      'http.response.status_code': 503,
      note: "it's <b>\\u0000</b>",
    },
    links,
  });
  await insertSpans(traces, [tracePart({ traceId, service: 'landfall-api', name: post.name, spans: [post] })]);
  await insertSpans(traces, [tracePart({ traceId, spans: [refresh], failed: true, httpStatus: 503, carrier: 'MAEU' })]);
  expect(await readTrace(core.ctx, traceId)).toEqual({
    traceId,
    startedAtUs,
    durationUs: 1277,
    spans: [
      { ...post, depth: 0, offsetUs: 0 },
      { ...refresh, depth: 1, offsetUs: 500 },
    ],
  });
  const [found] = await findTraces(core.ctx, { ...anyTrace, carrier: 'MAEU' });
  expect(found).toMatchObject({
    traceId,
    name: 'POST /v1/shipments',
    services: ['landfall-api', 'landfall-worker'],
    startedAtUs,
    failed: true,
    httpStatus: 503,
  });
});

it('finds traces by carrier, outcome, failure and time, newest or slowest first', async () => {
  const nowUs = Date.now() * 1000;
  const carrier = `T${newTraceId().slice(0, 8)}`;
  const write = (name: string, changes: Parameters<typeof tracePart>[0], agoS = 0) => {
    const traceId = newTraceId();
    const spans = [traceSpan(traceId, { name, startedAtUs: nowUs - agoS * 1_000_000 })];
    return tracePart({ traceId, name, carrier, spans, ...changes });
  };
  await insertSpans(traces, [
    write('fast', { durationUs: 10, outcome: 'unchanged' }, 3),
    write('slow', { durationUs: 9_000_000, outcome: 'changed' }, 2),
    write('failed', { durationUs: 500, outcome: 'error', failed: true }, 1),
    write('old', { durationUs: 70, outcome: 'unchanged' }, 7200),
  ]);
  const names = async (changes: Partial<typeof anyTrace>) =>
    (await findTraces(core.ctx, { ...anyTrace, carrier, ...changes })).map((trace) => trace.name);
  expect(await names({})).toEqual(['failed', 'slow', 'fast', 'old']);
  expect(await names({ order: 'slowest' })).toEqual(['slow', 'failed', 'old', 'fast']);
  expect(await names({ failed: true })).toEqual(['failed']);
  expect(await names({ outcome: 'unchanged' })).toEqual(['fast', 'old']);
  expect(await names({ sinceS: 3600 })).toEqual(['failed', 'slow', 'fast']);
  expect(await names({ limit: 2 })).toEqual(['failed', 'slow']);
  expect(await names({ outcome: 'changed', failed: true })).toEqual([]);
});

it("finds a shipment's traces by its spans and its refreshes, and no traces of other shipments", async () => {
  const caller = await core.newCaller();
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration());
  const [registration, polled, other] = [newTraceId(), newTraceId(), newTraceId()];
  await insertSpans(traces, [
    tracePart({ traceId: registration, shipmentId: shipment.id }),
    tracePart({ traceId: polled }),
    tracePart({ traceId: other, shipmentId: crypto.randomUUID() }),
  ]);
  await refresh(core.ctx, { accountId: caller.accountId, shipmentId: shipment.id }, carrierDown, polled);
  const found = await findTraces(core.ctx, { ...anyTrace, shipmentId: shipment.id });
  expect(found.map((trace) => trace.traceId).sort()).toEqual([registration, polled].sort());
});

it('creates the coming days, drops old ones, and works without either for a while', async () => {
  const days = async () => {
    const { rows } = await admin.query<{ name: string }>(
      `select c.relname as name from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
       where i.inhparent = 'landfall.spans'::regclass and c.relname <> 'spans_default' order by 1`,
    );
    return rows.map((row) => row.name);
  };
  await keepTraces(core.ctx);
  const present = await days();
  expect(present.length).toBeGreaterThanOrEqual(3);
  // As after three days without a worker: rows go to the default partition.
  for (const table of ['spans', 'trace_parts'])
    for (const name of present) await admin.query(`drop table landfall.${name.replace('spans', table)}`);
  const traceId = newTraceId();
  await insertSpans(traces, [tracePart({ traceId })]);
  expect((await readTrace(core.ctx, traceId))?.spans).toHaveLength(1);
  const { rows } = await admin.query<{ name: string }>(
    `select 'spans_' || to_char(max(started_at) at time zone 'utc', 'YYYYMMDD') as name from landfall.spans_default`,
  );
  const today = rows[0]?.name ?? '';
  expect(today).toMatch(/^spans_\d{8}$/);
  // Today's rows prevent the creation of today's partition; the later ones are created.
  await keepTraces(core.ctx);
  const created = await days();
  expect(created).not.toContain(today);
  expect(created).toEqual(expect.arrayContaining(present.filter((name) => name > today)));
  expect(created.length).toBeGreaterThanOrEqual(1);

  await admin.query(`create unlogged table landfall.spans_20200101 (like landfall.spans)`);
  await admin.query(`alter table landfall.spans_20200101 owner to ${owner}`);
  await admin.query(
    `alter table landfall.spans attach partition landfall.spans_20200101 for values from ('2020-01-01 00:00+00') to ('2020-01-02 00:00+00')`,
  );
  await admin.query(`update landfall.spans_default set started_at = now() - interval '3 days'`);
  await keepTraces(core.ctx);
  expect(await days()).not.toContain('spans_20200101');
  expect(await readTrace(core.ctx, traceId)).toBeNull();
});

it('gives up soon on an old day that is being read, changes nothing, and drops it in the next run', async () => {
  const present = async () => {
    const { rows } = await admin.query<{ there: boolean }>(
      `select to_regclass('landfall.spans_20200102') is not null as there`,
    );
    return rows[0]?.there;
  };
  await admin.query(`create unlogged table landfall.spans_20200102 (like landfall.spans)`);
  await admin.query(`alter table landfall.spans_20200102 owner to ${owner}`);
  await admin.query(
    `alter table landfall.spans attach partition landfall.spans_20200102 for values from ('2020-01-02 00:00+00') to ('2020-01-03 00:00+00')`,
  );
  await admin.query('begin; lock table landfall.spans_20200102 in access share mode');
  try {
    // Its own short lock timeout, not the statement timeout, which is longer and indicates a server in trouble.
    await expect(keepTraces(core.ctx)).rejects.toMatchObject({ cause: { code: '55P03' } });
    expect(await present()).toBe(true);
    const traceId = newTraceId();
    await insertSpans(traces, [tracePart({ traceId })]);
    expect((await readTrace(core.ctx, traceId))?.spans).toHaveLength(1);
  } finally {
    await admin.query('rollback');
  }
  await keepTraces(core.ctx);
  expect(await present()).toBe(false);
});

it('writes nothing to the write-ahead log and hides traces from the request role', async () => {
  const { rows } = await admin.query<{ name: string; persistence: string; forced: boolean }>(
    `select c.relname as name, c.relpersistence as persistence, c.relrowsecurity and c.relforcerowsecurity as forced
     from pg_class as c where c.relnamespace = 'landfall'::regnamespace and c.relkind = 'r' and c.relname ~ '^(spans|trace_parts)_'`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(4);
  expect(rows.filter((row) => row.persistence !== 'u' || !row.forced)).toEqual([]);
  for (const table of ['spans', 'trace_parts', 'spans_default'])
    await expect(core.store.app.query(`select 1 from landfall.${table}`)).rejects.toThrow('permission denied');
});

it('lets two workers maintain the partitions concurrently', async () => {
  await Promise.all(Array.from({ length: 4 }, () => keepTraces(core.ctx)));
});
