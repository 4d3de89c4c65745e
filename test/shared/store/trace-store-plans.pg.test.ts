import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TraceFilter } from '#shared/domain/installation/trace.ts';
import { findTraces, readTraceSpans } from '#shared/store/system/read-traces.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { explainSystemQueries } from '#test/support/stores/explain-queries.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

/** One day of a busy installation: three spans per trace. */
const traces = 100_000;
const rareShipment = randomUUID();
const oneTrace = '00000000000000000000000000000007';
/**
 * The rows go back 4,000 s and must be in one day's partition: shortly after midnight they start later than now.
 */
const lastStart = `greatest(now(), date_trunc('day', now(), 'UTC') + interval '4100 seconds')`;
/** Maximum number of pages per query. The day's own pages are more than ten times as many. */
const maxBlocks = 700;

let core: TestCore;
/** The day that contains them. The other days are empty and cost nothing to scan. */
const full = { trace_parts: { name: '', blocks: 0 }, spans: { name: '', blocks: 0 } };

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  const admin = new pg.Client({ connectionString: core.databaseUrl });
  await admin.connect();
  // Realistic data: mostly refreshes at twelve carriers, one in fifty failed, one rare carrier and one rare outcome,
  // half of it from the last hour.
  await admin.query(`
    insert into landfall.trace_parts (trace_id, started_at, duration_us, service, name, kept_for, failed, http_status, error_type, outcome, carrier, shipment_id)
    select lpad(to_hex(n), 32, '0')::uuid, ${lastStart} - n * interval '0.04 seconds', 1000 + (n * 7919) % 500000, 'landfall-worker', 'process', 'share',
      n % 50 = 0, 200, null, case when n % 5000 = 0 then 'not_found' when n % 50 = 0 then 'error' else 'unchanged' end,
      case when n % 9000 = 0 then 'RARE' else 'C' || n % 12 end, case when n % 20000 = 0 then '${rareShipment}'::uuid else gen_random_uuid() end
    from generate_series(1, ${traces}) as n`);
  await admin.query(`
    insert into landfall.spans (trace_id, span_id, parent_span_id, service, name, kind, started_at, duration_us, status, attributes)
    select lpad(to_hex(n), 32, '0')::uuid, to_hex(s), null, 'landfall-worker', 'refresh', 'internal', ${lastStart} - n * interval '0.04 seconds', 1000, 'unset',
      '{"carrier.code": "MAEU"}'
    from generate_series(1, ${traces}) as n cross join generate_series(1, 3) as s`);
  await admin.query('analyze landfall.trace_parts');
  await admin.query('analyze landfall.spans');
  for (const parent of ['trace_parts', 'spans'] as const) {
    const { rows } = await admin.query<{ name: string; blocks: number }>(
      `select c.relname::text as name, c.relpages as blocks from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
       where i.inhparent = $1::regclass order by c.relpages desc limit 1`,
      [`landfall.${parent}`],
    );
    full[parent] = rows[0] ?? full[parent];
  }
  await admin.end();
});
afterAll(() => core.close());

const all: TraceFilter = {
  shipmentId: null,
  carrier: null,
  outcome: null,
  failed: false,
  order: 'newest',
  sinceS: 172_800,
  limit: 50,
};

it.each<[string, Partial<TraceFilter>]>([
  ['the newest', {}],
  ['of a shipment', { shipmentId: rareShipment }],
  ['of a carrier', { carrier: 'C3' }],
  ['of a rare carrier', { carrier: 'RARE' }],
  ['of a rare carrier, slowest first', { carrier: 'RARE', order: 'slowest' }],
  ['of an outcome', { outcome: 'error' }],
  ['of a rare outcome', { outcome: 'not_found' }],
  ['the slowest', { order: 'slowest' }],
  ['slowest first in the last hour', { order: 'slowest', sinceS: 3600 }],
  ['failed', { failed: true }],
  ['failed at one carrier', { failed: true, carrier: 'C4' }],
  ['failed at a rare carrier', { failed: true, carrier: 'RARE' }],
  ['failed, the slowest', { failed: true, order: 'slowest' }],
])('finds traces %s without scanning the day', async (_, filter) => {
  expect(full.trace_parts.blocks).toBeGreaterThan(1000);
  const costs = await explainSystemQueries(core.store, (tx) =>
    findTraces(
      {
        query: (statement: unknown) => (typeof statement === 'string' ? undefined : tx.query(statement as never)),
      } as never,
      {
        ...all,
        ...filter,
      },
    ),
  );
  const [cost] = costs;
  expect(cost?.readWhole, cost?.plan).not.toContain(full.trace_parts.name);
  // Failures are few, so all of them are read where none matches.
  if (filter.failed !== true) expect(cost?.blocks, cost?.plan).toBeLessThan(maxBlocks);
});

it('finds the spans of one trace without scanning the day', async () => {
  const [cost] = await explainSystemQueries(core.store, (tx) =>
    readTraceSpans(
      {
        query: (statement: unknown) => (typeof statement === 'string' ? undefined : tx.query(statement as never)),
      } as never,
      oneTrace,
    ),
  );
  expect(cost?.readWhole, cost?.plan).not.toContain(full.spans.name);
  expect(cost?.blocks, cost?.plan).toBeLessThan(60);
});
