import process from 'node:process';
import pg from 'pg';
import { Pool } from 'undici';
import { operatorOf } from '#infra/installation/open-script-core.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { Bench } from '../bench.ts';
import { fillDatabase } from '../data/fill-database.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { measureLoad } from '../load.ts';
import type { MeasuredServer } from '../measure/measured-server.ts';
import type { Measurement, Result, Row } from '../row.ts';
import { openBenchCore, serviceEnv } from '../service-env.ts';

/** Of the searching account. `BENCH_SEARCH_SHIPMENTS`: set it lower where filling the database takes too long. */
const shipments = Number(process.env['BENCH_SEARCH_SHIPMENTS'] ?? 150_000);
const searches = 40;
const connections = 2;
const minRequests = 100;
/** The p99 that is acceptable beside the searches, however short the p99 alone. */
const graceMs = 250;

/** Searches that no index answers, with counts. */
const searchPaths = [
  '/v1/shipments?q=rotterdam%20maersk&sort=-status_changed_at&include_total=true',
  '/v1/shipments?q=hamburg&sort=eta&include_total=true',
  '/v1/shipments?departed_from=2026-01-01&sort=-last_event_at&include_total=true',
];

type Side = { server: MeasuredServer; heavyKey: string; key: string; shipmentId: string };
type SideName = 'getAlone' | 'getBeside' | 'listAlone' | 'listBeside';

/**
 * The p99 of a small account's reads and lists while an account with 150,000 shipments runs forty searches in parallel,
 * beside the p99 alone.
 */
export const parallelSearchesRow: Row = { name: 'parallel-searches', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const side = await openSide(bench);
  const get = () => readsOf(bench, side, `/v1/shipments/${side.shipmentId}`);
  const list = () => readsOf(bench, side, '/v1/shipments?limit=25');
  const rounds = await interleave<SideName>(bench.rounds, {
    getAlone: get,
    getBeside: () => besideSearches(side, get),
    listAlone: list,
    listBeside: () => besideSearches(side, list),
  });
  const inWords = `beside ${searches} searches among ${shipments.toLocaleString('en')}`;
  return [
    compare(`GET one, ${inWords}`, rounds.getBeside, rounds.getAlone),
    compare(`list, ${inWords}`, rounds.listBeside, rounds.listAlone),
  ];
}

function compare(work: string, beside: readonly Measurement[], alone: readonly Measurement[]): Result {
  return {
    work,
    baseline: 'alone',
    compares: `p99 ÷ the limit: twice p99 alone, or ${graceMs} ms`,
    ...compareRounds(beside, alone, (ours, theirs) => ours.p99Ms / Math.max(2 * theirs.p99Ms, graceMs)),
    goal: { atMost: 1 },
    product: medians(beside),
    baselineCost: medians(alone),
  };
}

/** A 503 of the small account ends the benchmark: the searches of another account must not cause one. */
function readsOf(bench: Bench, { server, key }: Side, path: string): Promise<Measurement> {
  const headers = { authorization: `Bearer ${key}` };
  return measureLoad(server, {
    connections,
    seconds: bench.seconds,
    atLeast: minRequests,
    request: () => ({ method: 'GET', path, headers }),
    isGood: (status) => status === 200,
  });
}

async function besideSearches(side: Side, read: () => Promise<Measurement>): Promise<Measurement> {
  const pool = new Pool(side.server.url, { connections: searches, pipelining: 1 });
  const headers = { authorization: `Bearer ${side.heavyKey}` };
  let isOver = false;
  const searchUntilOver = async (n: number): Promise<void> => {
    while (!isOver) {
      const path = searchPaths[n % searchPaths.length] ?? '';
      // Their own 503 are what they may get.
      const answer = await pool.request({ method: 'GET', path, headers });
      await answer.body.dump();
      if (answer.statusCode !== 200 && answer.statusCode !== 503)
        throw new Error(`unexpected answer to a search: ${answer.statusCode}`);
    }
  };
  const searching = Promise.all(Array.from({ length: searches }, (_, n) => searchUntilOver(n)));
  searching.catch(() => undefined);
  try {
    return await read();
  } finally {
    isOver = true;
    await searching;
    await pool.destroy();
  }
}

async function openSide(bench: Bench): Promise<Side> {
  const databaseUrl = await bench.newDatabase();
  const heavyAccountId = await fillDatabase({ databaseUrl, shipments: shipments * 2, note: bench.note });
  const core = await openBenchCore(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ accountId: string; shipmentId: string }>(
      `select account_id as "accountId", (array_agg(id))[1] as "shipmentId"
      from landfall.shipments
      where account_id <> $1 and not test
      group by account_id
      order by count(*), account_id
      limit 1`,
      [heavyAccountId],
    );
    const [small] = rows;
    if (small === undefined) throw new Error('the database has no second account');
    const keyOf = async (accountId: string) => {
      await setAccountLimits(core, operatorOf(accountId), { read: 1_000_000_000 });
      return (await createApiKey(core, accountId, { name: 'bench', test: false })).secret;
    };
    const env = { ...serviceEnv(databaseUrl), PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' };
    return {
      heavyKey: await keyOf(heavyAccountId),
      key: await keyOf(small.accountId),
      shipmentId: encodeTypeId('shp', small.shipmentId),
      server: await bench.startServer({ file: 'services/api/main.ts', env }),
    };
  } finally {
    await client.end();
    await core.close();
  }
}
