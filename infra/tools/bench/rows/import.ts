import pg from 'pg';
import { parseRegisterShipmentBody } from '#shared/contract/registration/register-shipment-body.ts';
import { createShipments } from '#shared/core/registration/create-shipments.ts';
import { prepareRegistration } from '#shared/core/registration/prepare-registration.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { Bench } from '../bench.ts';
import { openBenchAccount } from '../bench-account.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import type { MeasuredServer } from '../measure/measured-server.ts';
import type { Measurement, Result, Row } from '../row.ts';
import { openBenchCore, serviceEnv } from '../service-env.ts';

/** 100,000 rows at the default 3 seconds per side. */
const rowsPerSecond = 33_334;
const rowsPerInsert = 500;
const pollMs = 50;

/**
 * An upload of many rows over HTTP until the last one is registered, against the bare insert of the same rows into the
 * same tables.
 */
export const importRow: Row = { name: 'import', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const count = Math.round(rowsPerSecond * bench.seconds);
  // Each round has a database of its own. Otherwise the refreshes of earlier rounds' shipments would continue beside
  // it.
  const rounds = await interleave(bench.rounds, {
    product: async () => {
      const product = await openProduct(bench);
      try {
        return await importAll(product, count);
      } finally {
        await Promise.all([product.api.stop(), product.worker.stop()]);
      }
    },
    bare: async () => {
      const bare = await openBare(await bench.newDatabase());
      try {
        return await insertAll(bare, count);
      } finally {
        await bare.client.end();
        await bare.core.close();
      }
    },
  });
  return [
    {
      work: `import of ${count} rows`,
      baseline: 'the bare insert',
      compares: 'our rows/s ÷ its',
      ...compareRounds(rounds.product, rounds.bare, (ours, theirs) => ours.operationsPerS / theirs.operationsPerS),
      goal: { atLeast: 0.5 },
      product: medians(rounds.product),
      baselineCost: medians(rounds.bare),
    },
  ];
}

type Product = { api: MeasuredServer; worker: MeasuredServer; key: string };
type Bare = { client: pg.Client; core: Awaited<ReturnType<typeof openBenchCore>>; accountId: string };

async function openProduct(bench: Bench): Promise<Product> {
  const databaseUrl = await bench.newDatabase();
  const { key } = await openBenchAccount(databaseUrl);
  const env = {
    ...serviceEnv(databaseUrl),
    PORT: '0',
    WORKER_HEALTH_PORT: '0',
    HOST: '127.0.0.1',
  };
  const worker = await bench.startServer({ file: 'services/worker/main.ts', env });
  const api = await bench.startServer({ file: 'services/api/main.ts', env });
  return { api, worker, key };
}

function bodyOf(place: number): object {
  const number = 100_000_000 + place;
  return {
    transport_mode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: `MAEU${number}`, booking: `BK${number}` },
    reference: `PO-${number}`,
    tags: ['acme'],
    metadata: { buyer: 'acme' },
  };
}

async function importAll({ api, worker, key }: Product, count: number): Promise<Measurement> {
  const body = Array.from({ length: count }, (_, place) => JSON.stringify(bodyOf(place))).join('\n');
  const usage = async () => {
    const [one, other] = [await api.usage(), await worker.usage()];
    return { cpuUs: one.cpuUs + other.cpuUs, rssBytes: Math.max(one.rssBytes, other.rssBytes) };
  };
  const authorization = `Bearer ${key}`;
  const before = await usage();
  const startedAt = performance.now();
  const answer = await fetch(`${api.url}/v1/imports`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-ndjson' },
    body,
  });
  if (answer.status !== 202) throw new Error(`the import was rejected: ${answer.status} ${await answer.text()}`);
  const location = answer.headers.get('location') ?? '';
  for (;;) {
    const { state, created } = (await (await fetch(api.url + location, { headers: { authorization } })).json()) as {
      state: string;
      created: number;
    };
    if (state === 'completed' && created === count) break;
    if (state !== 'running') throw new Error(`the import is ${state} with ${created} of ${count} rows`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  const elapsedMs = performance.now() - startedAt;
  const after = await usage();
  return {
    operationsPerS: count / (elapsedMs / 1000),
    cpuPerOperationUs: (after.cpuUs - before.cpuUs) / count,
    p50Ms: elapsedMs,
    p99Ms: elapsedMs,
    rssMb: after.rssBytes / 1_000_000,
  };
}

async function openBare(databaseUrl: string): Promise<Bare> {
  const { accountId } = await openBenchAccount(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return { client, core: await openBenchCore(databaseUrl), accountId };
}

type Statement = { name: string; text: string; values: unknown[] };

/** The statements are composed before the clock starts, so that only their execution counts. */
async function insertAll(bare: Bare, count: number): Promise<Measurement> {
  const statements = await composeStatements(bare, count);
  const startedAt = performance.now();
  for (const statement of statements) await bare.client.query(statement);
  const elapsedMs = performance.now() - startedAt;
  return {
    operationsPerS: count / (elapsedMs / 1000),
    cpuPerOperationUs: 0,
    p50Ms: elapsedMs,
    p99Ms: elapsedMs,
    rssMb: 0,
  };
}

async function composeStatements({ core, accountId }: Bare, count: number): Promise<Statement[]> {
  const statements: Statement[] = [];
  const recorder = {
    query: async (statement: Statement) => ({ rows: [], rowCount: statements.push(statement) }),
  } as unknown as Tx;
  const now = new Date();
  for (let first = 0; first < count; first += rowsPerInsert) {
    const rows = Array.from({ length: Math.min(count - first, rowsPerInsert) }, (_, place) => {
      const prepared = prepareRegistration({ test: false }, parseRegisterShipmentBody(bodyOf(first + place)));
      if (prepared instanceof Error) throw prepared;
      return { prepared, traceparent: null };
    });
    await createShipments(recorder, { ctx: core, accountId, test: false, rows, now, createdAt: now, hurried: false });
  }
  return statements;
}
