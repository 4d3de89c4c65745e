import pg from 'pg';
import { parseBatchEventRow } from '#shared/contract/events-in/read-event-row.ts';
import { writePushes } from '#shared/core/carrier-subscriptions/write-pushes.ts';
import { composeStatements, type PlacedRow } from '#shared/core/events-in/compose-statements.ts';
import { lockWithEvents } from '#shared/core/events-in/lock-with-events.ts';
import { readEventRow } from '#shared/core/events-in/read-event-row.ts';
import { maxShipments } from '#shared/core/events-in/record-events.ts';
import { readFreeTimeRules } from '#shared/core/free-time/free-time-rules.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { registerBatch } from '#shared/core/registration/register-batch.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { sendInOrder } from '#shared/store/send-in-order.ts';
import { type Tx, withAccountByKey } from '#shared/store/with-account.ts';
import type { Bench } from '../bench.ts';
import { openBenchAccount } from '../bench-account.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import type { Measurement, Result, Row } from '../row.ts';
import { openBenchCore, serviceEnv } from '../service-env.ts';

/** 18,000 rows at the default 3 seconds per side. */
const rowsPerSecond = 6000;
const rowsPerBatch = 1000;
/** Events of one box that a railway posts together. */
const codes = ['gate_in_full', 'rail_loaded', 'rail_departed', 'rail_arrived'] as const;
const batchesAtOnce = 2;

/**
 * Batches of pushed events over HTTP until the last one is recorded, with journeys, feed and history, against bare
 * statements that write the same rows into the same tables.
 */
export const eventsInRow: Row = { name: 'events-in', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const count = Math.max(1, Math.round((rowsPerSecond * bench.seconds) / rowsPerBatch)) * rowsPerBatch;
  const rounds = await interleave(bench.rounds, {
    product: () => pushAll(bench, count),
    bare: () => insertAll(bench, count),
  });
  return [
    {
      work: `${count} pushed events`,
      baseline: 'the bare insert',
      compares: 'our rows/s ÷ its',
      ...compareRounds(rounds.product, rounds.bare, (ours, theirs) => ours.operationsPerS / theirs.operationsPerS),
      goal: { atLeast: 0.3 },
      product: medians(rounds.product),
      baselineCost: medians(rounds.bare),
    },
  ];
}

type World = { databaseUrl: string; key: string; accountId: string; batches: object[][] };

/** New shipments, and batches of the events of each. */
async function openWorld(bench: Bench, count: number): Promise<World> {
  const databaseUrl = await bench.newDatabase();
  const { accountId } = await openBenchAccount(databaseUrl);
  const core = await openBenchCore(databaseUrl);
  let key = '';
  const shipmentIds: string[] = [];
  try {
    const pusher = await createApiKey(core, accountId, { name: 'pusher', test: false, scopes: ['events:write'] });
    key = pusher.secret;
    for (let first = 0; first < count / codes.length; first += rowsPerBatch) {
      const caller = { accountId, keyId: null, scopes: [], test: false, requestId: 'bench', idempotency: null };
      const size = Math.min(rowsPerBatch, count / codes.length - first);
      const sent = Array.from({ length: size }, (_, place) => registrationOf(first + place));
      for (const result of (await registerBatch(core, caller, sent)).results) {
        if (result.outcome === 'failed') throw new Error(result.error.detail);
        shipmentIds.push(result.shipmentId);
      }
    }
  } finally {
    await core.close();
  }
  const rows = shipmentIds.flatMap((id, place) => codes.map((code, step) => bodyOf(id, { code, place, step })));
  const batches = Array.from({ length: count / rowsPerBatch }, (_, place) =>
    rows.slice(place * rowsPerBatch, (place + 1) * rowsPerBatch),
  );
  return { databaseUrl, key, accountId, batches };
}

function registrationOf(place: number) {
  return {
    transportMode: 'rail' as const,
    carrier: 'BNSF',
    identifiers: { waybill: `WB${100_000_000 + place}` },
    serviceType: null,
    reference: null,
    references: [],
    tags: [],
    metadata: {},
    destinationPostalCode: null,
    staleAfterHours: 48,
  };
}

const ramps = ['USCHI', 'USLAX', 'USDAL', 'USMEM', 'USKCK'];
const startMs = Date.UTC(2026, 2, 1);

function bodyOf(id: string, { code, place, step }: { code: string; place: number; step: number }): object {
  return {
    shipment: { id },
    source_name: 'acme-rail',
    external_id: `mv-${place}-${step}`,
    code,
    time: { at: new Date(startMs + (place % 1000) * 60_000 + step * 36_000_000).toISOString() },
    location: { unlocode: ramps[(place + Math.floor(step / 3)) % ramps.length], facility: 'Intermodal ramp' },
    vehicle: { voyage: `Q-${place % 50}` },
    description: 'As the railway reports it',
  };
}

async function pushAll(bench: Bench, count: number): Promise<Measurement> {
  const { databaseUrl, key, batches } = await openWorld(bench, count);
  const env = { ...serviceEnv(databaseUrl), PORT: '0', HOST: '127.0.0.1' };
  const api = await bench.startServer({ file: 'services/api/main.ts', env });
  try {
    const bodies = batches.map((events) => JSON.stringify({ events }));
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const times: number[] = [];
    const before = await api.usage();
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: batchesAtOnce }, async () => {
        for (let body = bodies.shift(); body !== undefined; body = bodies.shift()) {
          const sentAt = performance.now();
          const answer = await fetch(`${api.url}/v1/events/batch`, { method: 'POST', headers, body });
          const { summary } = (await answer.json()) as { summary?: { added: number } };
          if (summary?.added !== rowsPerBatch) throw new Error(`a batch was not recorded: ${answer.status}`);
          times.push(performance.now() - sentAt);
        }
      }),
    );
    const elapsedMs = performance.now() - startedAt;
    const after = await api.usage();
    times.sort((left, right) => left - right);
    return {
      operationsPerS: count / (elapsedMs / 1000),
      cpuPerOperationUs: (after.cpuUs - before.cpuUs) / count,
      p50Ms: times[Math.floor(times.length / 2)] ?? 0,
      p99Ms: times.at(-1) ?? 0,
      rssMb: after.rssBytes / 1_000_000,
    };
  } finally {
    await api.stop();
  }
}

type Statement = { name: string; text: string; values: unknown[] };

/**
 * The statements that write events, journeys, polling, histories and changes of as many shipments as one transaction of
 * the product has. They are composed before the clock starts, so that only their execution counts.
 */
async function insertAll(bench: Bench, count: number): Promise<Measurement> {
  const world = await openWorld(bench, count);
  const statements = await composeStatementsOf(world);
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    const startedAt = performance.now();
    for (const statement of statements) await client.query(statement);
    const elapsedMs = performance.now() - startedAt;
    return {
      operationsPerS: count / (elapsedMs / 1000),
      cpuPerOperationUs: 0,
      p50Ms: elapsedMs / (count / rowsPerBatch),
      p99Ms: elapsedMs / (count / rowsPerBatch),
      rssMb: 0,
    };
  } finally {
    await client.end();
  }
}

/** Composes what the product writes, in transactions that are rolled back. */
async function composeStatementsOf({ databaseUrl, accountId, batches }: World): Promise<Statement[]> {
  const core = await openBenchCore(databaseUrl);
  const statements: Statement[] = [];
  try {
    const placed = batches.flat().map((body, place) => readRow(body, place));
    const byShipment = [...Map.groupBy(placed, ({ shipmentId }) => shipmentId)];
    for (let start = 0; start < byShipment.length; start += maxShipments) {
      const chunk = byShipment.slice(start, start + maxShipments);
      await withAccountByKey(core.store, accountId, async (tx) => {
        const ids = chunk.map(([id]) => id);
        const { locked, events } = await lockWithEvents(tx, accountId, { ids, test: false });
        const rules = await readFreeTimeRules(core, tx, accountId);
        const writes = chunk.flatMap(([id, rows]) => {
          const one = locked.get(id);
          const startedAt = performance.now();
          const stored = events.get(id) ?? [];
          return one === undefined ? [] : [composeStatements(core, one, { stored, rows, rules, startedAt }).write];
        });
        await writePushes(
          { tx: recording(tx, statements), commitWith: (some) => sendInOrder(recording(tx, statements), some) },
          {
            accountId,
            writes,
          },
        );
        throw new RolledBack();
      }).catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
    }
  } finally {
    await core.close();
  }
  return statements;
}

class RolledBack extends Error {}

/** Runs statements, and notes those that write. */
function recording(tx: Tx, statements: Statement[]): Tx {
  const query = (...[statement]: [Statement]) => {
    if (!statement.text.trimStart().startsWith('select')) statements.push(statement);
    return (tx.query as (of: Statement) => Promise<unknown>).call(tx, statement);
  };
  return new Proxy(tx, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
}

function readRow(body: object, place: number): PlacedRow & { shipmentId: string } {
  const read = readEventRow(parseBatchEventRow(body), Date.now());
  if (!('event' in read)) throw new Error('a row of the benchmark is not valid');
  const { shipment } = body as { shipment: { id: string } };
  return { place, sourceName: 'acme-rail', read, shipmentId: decodeTypeId('shp', shipment.id) ?? '' };
}
