import process from 'node:process';
import pg from 'pg';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import type { TracePart } from '#shared/domain/installation/trace.ts';
import { openTraceStore } from '#shared/store/open-trace-store.ts';
import { insertSpans } from '#shared/store/system/insert-spans.ts';
import { newTraceId, tracePart, traceSpan } from '#test/support/api/trace-parts.ts';
import type { Bench } from '../bench.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import type { Measurement, Result, Row } from '../row.ts';

const spansOfTrace = 5;
const tracesOfBatch = 200;

/**
 * Span throughput of one connection: the store's own batches against one statement per span. The CPU time is the
 * client's.
 */
export const traceStoreRow: Row = { name: 'trace-store', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const databaseUrl = await bench.newDatabase();
  const store = openTraceStore({ databaseUrl: serviceUrlOf(databaseUrl), onError: () => undefined });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const batch = Array.from({ length: tracesOfBatch }, realisticPart);
  try {
    const rounds = await interleave(bench.rounds, {
      single: () => measureWrites(bench.seconds, () => insertOne(client, batch)),
      batched: () =>
        measureWrites(bench.seconds, async () => {
          await insertSpans(store, batch);
          return tracesOfBatch * spansOfTrace;
        }),
    });
    const { rows } = await client.query<{ bytes: string }>(
      `select sum(pg_total_relation_size(i.inhrelid)) / (select count(*) from landfall.spans) as bytes
       from pg_inherits as i where i.inhparent in ('landfall.spans'::regclass, 'landfall.trace_parts'::regclass)`,
    );
    bench.note(`${Number(rows[0]?.bytes).toFixed(0)} bytes per span, with its indexes and its share of a trace`);
    return [
      {
        work: `${tracesOfBatch * spansOfTrace} spans per statement`,
        baseline: 'one statement per span',
        compares: 'our spans/s',
        ...compareRounds(rounds.batched, rounds.single, (ours) => ours.operationsPerS),
        goal: { atLeast: 20_000 },
        product: medians(rounds.batched),
        baselineCost: medians(rounds.single),
      },
    ];
  } finally {
    await client.end();
    await store.close();
  }
}

async function measureWrites(seconds: number, write: () => Promise<number>): Promise<Measurement> {
  const latenciesMs: number[] = [];
  const before = process.cpuUsage();
  const startedAt = performance.now();
  let spans = 0;
  while (performance.now() - startedAt < seconds * 1000) {
    const at = performance.now();
    spans += await write();
    latenciesMs.push(performance.now() - at);
  }
  const elapsedS = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(before);
  latenciesMs.sort((left, right) => left - right);
  const quantile = (share: number) => latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? 0;
  return {
    operationsPerS: spans / elapsedS,
    cpuPerOperationUs: (user + system) / spans,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    rssMb: process.memoryUsage.rss() / 1_000_000,
  };
}

let turn = 0;

async function insertOne(client: pg.Client, batch: readonly TracePart[]): Promise<number> {
  turn += 1;
  const span = batch[turn % batch.length]?.spans[turn % spansOfTrace];
  if (span === undefined) throw new Error('the batch is empty');
  await client.query({
    name: 'insert-one-span',
    text: `
      insert into landfall.spans (
        trace_id, span_id, parent_span_id, service, name, kind, started_at, duration_us, status, attributes, links
      ) values ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1e6), $8, $9, $10, $11)`,
    values: [
      span.traceId,
      span.spanId,
      span.parentSpanId,
      span.service,
      span.name,
      span.kind,
      span.startedAtUs,
      span.durationUs,
      span.status,
      JSON.stringify(span.attributes),
      JSON.stringify(span.links),
    ],
  });
  return 1;
}

/** The spans of one refresh: the job, the refresh, the carrier's answer and two statements. */
function realisticPart(): TracePart {
  const traceId = newTraceId();
  const sql = {
    'db.system.name': 'postgresql',
    'db.namespace': 'landfall',
    'db.query.text': 'x'.repeat(150),
    'db.postgresql.plan': 'keep-refreshes',
  };
  const job = traceSpan(traceId, {
    kind: 'consumer',
    name: 'process refresh.maersk',
    attributes: { 'messaging.system': 'bullmq' },
  });
  const refresh = traceSpan(traceId, {
    parentSpanId: job.spanId,
    attributes: { 'carrier.code': 'MAEU', 'refresh.outcome': 'unchanged' },
  });
  const below = (changes: Parameters<typeof traceSpan>[1]) =>
    traceSpan(traceId, { parentSpanId: refresh.spanId, kind: 'client', ...changes });
  const call = below({
    name: 'GET',
    attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200, 'server.address': 'api.example' },
  });
  return tracePart({
    traceId,
    carrier: 'MAEU',
    outcome: 'unchanged',
    shipmentId: crypto.randomUUID(),
    spans: [
      job,
      refresh,
      call,
      below({ name: 'pg.query:UPDATE', attributes: sql }),
      below({ name: 'pg.query:WITH', attributes: sql }),
    ],
  });
}
