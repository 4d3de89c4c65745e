import process from 'node:process';
import pg from 'pg';
import { Pool } from 'undici';
import type { Bench } from '../bench.ts';
import { openBenchAccount } from '../bench-account.ts';
import { type Flood, openFlood } from '../data/flood.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { pause } from '../live-fleet.ts';
import type { Measurement, Result, Row } from '../row.ts';
import { serviceEnv } from '../service-env.ts';

/**
 * `BENCH_FAIRNESS_SHIPMENTS`: set it below the goal's million where filling the database for minutes takes too long.
 */
const many = Number(process.env['BENCH_FAIRNESS_SHIPMENTS'] ?? 1_000_000);
const few = many / 10;
/** Due at once in the account that also registers one by one. */
const backlog = 20_000;
const firstStatusGoalMs = 2000;
const registrationEveryMs = 200;
const minRegistrations = 30;
/** The flood has started by then. */
const leadMs = 2000;
const pollMs = 50;
const timeoutMs = 300_000;
/** The extra wait that is acceptable beside the flood, however short the wait alone. */
const graceMs = 1000;

/**
 * `p99Ms` is of the registrations. The refresh numbers are the times from registration to the recorded first refresh.
 */
type Waits = Measurement & { refreshP50Ms: number; refreshP95Ms: number; p95Ms: number };
type Side = {
  databaseUrl: string;
  redisUrl: string | null;
  key: string;
  accountId: string;
  flood: Flood | null;
  /** The flood's account registers, and imports nothing. */
  isOwn: boolean;
  client: pg.Client;
};

/**
 * Measures how long a small account waits for its registrations and for their first refreshes: alone, and beside an
 * account that keeps importing while a hundred thousand, or a million, of its shipments wait for their first refresh;
 * and beside 20,000 due shipments of its own.
 */
export const fairnessRow: Row = { name: 'fairness', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const sides = [
    await openSide(bench, 3, { waiting: 0 }),
    await openSide(bench, 4, { waiting: few }),
    await openSide(bench, 5, { waiting: many }),
    await openSide(bench, 6, { waiting: backlog, isOwn: true }),
  ] as const;
  const [alone, small, large, own] = sides;
  const rounds = await interleave<'alone' | 'small' | 'large' | 'own', Waits>(bench.rounds, {
    alone: () => waitsOf(bench, alone),
    small: () => waitsOf(bench, small),
    large: () => waitsOf(bench, large),
    own: () => waitsOf(bench, own),
  });
  await Promise.all(sides.flatMap(({ client, flood }) => [client.end(), flood?.close()]));
  const inWords = (count: number) => count.toLocaleString('en');
  const costs = { product: medians(rounds.large), baselineCost: medians(rounds.alone) };
  return [
    {
      work: `first refresh, beside ${inWords(many)} waiting`,
      baseline: `beside ${inWords(few)}`,
      compares: 'p50 ÷ p50 beside few',
      ...compareRounds(rounds.large, rounds.small, (ours, theirs) => ours.refreshP50Ms / theirs.refreshP50Ms),
      goal: { atMost: 1.2 },
      product: asRefreshes(rounds.large),
      baselineCost: asRefreshes(rounds.small),
    },
    {
      work: `first refresh, beside ${inWords(many)} waiting`,
      baseline: 'alone',
      compares: 'p95 ÷ the limit: twice p95 alone, or 1 s more',
      ...compareRounds(
        rounds.large,
        rounds.alone,
        (ours, theirs) => ours.refreshP95Ms / limitBeside(theirs.refreshP95Ms),
      ),
      goal: { atMost: 1 },
      product: asRefreshes(rounds.large),
      baselineCost: asRefreshes(rounds.alone),
    },
    {
      work: `first refresh, beside ${inWords(backlog)} due of its own account`,
      baseline: 'alone',
      compares: 'p95 ÷ 2 s',
      ...compareRounds(rounds.own, rounds.alone, (ours) => ours.refreshP95Ms / firstStatusGoalMs),
      goal: { atMost: 1 },
      product: asRefreshes(rounds.own),
      baselineCost: asRefreshes(rounds.alone),
    },
    {
      work: 'POST one beside an import',
      baseline: 'alone',
      compares: 'p95 ÷ the limit: twice p95 alone, or 1 s more',
      ...compareRounds(rounds.large, rounds.alone, (ours, theirs) => ours.p95Ms / limitBeside(theirs.p95Ms)),
      goal: { atMost: 1 },
      ...costs,
    },
  ];
}

function limitBeside(aloneMs: number): number {
  return Math.max(2 * aloneMs, aloneMs + graceMs);
}

/** The report's p99 is a p95 here: a round has too few first refreshes for a p99. */
function asRefreshes(rounds: readonly Waits[]): Measurement {
  return medians(rounds.map((round) => ({ ...round, p50Ms: round.refreshP50Ms, p99Ms: round.refreshP95Ms })));
}

/** Each side has its own database and its own numbered Redis database, so that no side leaves work for another. */
async function openSide(
  bench: Bench,
  redisDatabase: number,
  { waiting, isOwn = false }: { waiting: number; isOwn?: boolean },
): Promise<Side> {
  const databaseUrl = await bench.newDatabase();
  const flood = waiting === 0 ? null : await openFlood(databaseUrl, waiting);
  const { accountId, key } = isOwn && flood !== null ? flood : await openBenchAccount(databaseUrl);
  if (flood !== null) bench.note(`${waiting} shipments waiting`);
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  const redisUrl = bench.redisUrl === null ? null : new URL(`/${redisDatabase}`, bench.redisUrl).href;
  return { databaseUrl, redisUrl, key, accountId, flood, isOwn, client };
}

/** API and worker run only during one measurement. Otherwise the flood of one side would slow down the others. */
async function waitsOf(bench: Bench, side: Side): Promise<Waits> {
  await side.flood?.refill();
  const simulator = await bench.startServer({
    file: 'infra/tools/simulator/main.ts',
    env: { SIMULATOR_PORT: '0', LOG_LEVEL: 'warn' },
  });
  const env = {
    ...serviceEnv(side.databaseUrl),
    ...(side.redisUrl === null ? {} : { REDIS_URL: side.redisUrl }),
    SIMULATOR: 'on',
    SIMULATOR_URL: simulator.url,
    HOST: '127.0.0.1',
    PORT: '0',
    WORKER_HEALTH_PORT: '0',
    LOG_LEVEL: 'warn',
  };
  const api = await bench.startServer({ file: 'services/api/main.ts', env });
  const worker = await bench.startServer({ file: 'services/worker/main.ts', env });
  const usage = () => Promise.all([api.usage(), worker.usage()]);
  const importing = new AbortController();
  const imported = side.isOwn ? undefined : side.flood?.importUntil(api.url, importing.signal);
  imported?.catch(() => undefined);
  try {
    // A backlog of its own is drained within a minute, so nobody waits for it to start.
    if (!side.isOwn) await pause(leadMs);
    const refreshedBefore = await side.flood?.refreshed();
    const before = await usage();
    const startedAt = performance.now();
    const { latenciesMs, refreshWaitsMs } = await registerAndWait(side, { url: api.url, seconds: bench.seconds });
    const elapsedS = (performance.now() - startedAt) / 1000;
    const after = await usage();
    bench.note(
      `${side.flood === null ? 'alone' : 'beside a flood'}: registered p95 ${quantile(latenciesMs, 0.95).toFixed(0)} ms, first refresh p50 ${quantile(refreshWaitsMs, 0.5).toFixed(0)} ms, p95 ${quantile(refreshWaitsMs, 0.95).toFixed(0)} ms`,
    );
    const refreshed = refreshWaitsMs.length + ((await side.flood?.refreshed()) ?? 0) - (refreshedBefore ?? 0);
    const cpuUs = after.reduce((sum, { cpuUs: us }, server) => sum + us - (before[server]?.cpuUs ?? 0), 0);
    return {
      operationsPerS: refreshed / elapsedS,
      cpuPerOperationUs: cpuUs / refreshed,
      p50Ms: quantile(latenciesMs, 0.5),
      p95Ms: quantile(latenciesMs, 0.95),
      p99Ms: quantile(latenciesMs, 0.99),
      refreshP50Ms: quantile(refreshWaitsMs, 0.5),
      refreshP95Ms: quantile(refreshWaitsMs, 0.95),
      rssMb: Math.max(...after.map(({ rssBytes }) => rssBytes)) / 1e6,
    };
  } finally {
    importing.abort();
    await imported;
    await Promise.all([api.stop(), worker.stop(), simulator.stop()]);
  }
}

/**
 * Sends each registration at its scheduled time, without waiting for earlier answers, then waits for all first
 * refreshes.
 */
async function registerAndWait(
  { key, accountId, client }: Side,
  { url, seconds }: { url: string; seconds: number },
): Promise<{ latenciesMs: number[]; refreshWaitsMs: number[] }> {
  const pool = new Pool(url, { connections: 16, pipelining: 1 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { rows: known } = await client.query<{ count: number }>(
    'select count(*)::integer as count from landfall.shipments where account_id = $1',
    [accountId],
  );
  const first = 100_000_000 + (known[0]?.count ?? 0);
  const count = Math.max(minRegistrations, Math.ceil((seconds * 1000) / registrationEveryMs));
  // Measured until the registration succeeds: a 503 makes it longer.
  const registerOne = async (n: number): Promise<number> => {
    const sentAt = performance.now();
    const body = JSON.stringify({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: `MAEU${first + n}` } });
    const send = async () => {
      const answer = await pool.request({ method: 'POST', path: '/v1/shipments', headers, body });
      await answer.body.dump();
      return answer.statusCode;
    };
    let status = await send();
    while (status === 503) {
      await pause(registrationEveryMs);
      status = await send();
    }
    if (status !== 201 && status !== 200) throw new Error(`a registration was rejected: ${status}`);
    return performance.now() - sentAt;
  };
  try {
    const latenciesMs = await Promise.all(
      Array.from({ length: count }, (_, n) => pause(n * registrationEveryMs).then(() => registerOne(n))),
    );
    return { latenciesMs, refreshWaitsMs: await firstRefreshes(client, { accountId, first, count }) };
  } finally {
    await pool.destroy();
  }
}

/** Milliseconds from the registration until the first refresh is recorded, by the database's clock. */
async function firstRefreshes(
  client: pg.Client,
  { accountId, first, count }: { accountId: string; first: number; count: number },
) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const { rows } = await client.query<{ waitMs: number }>(
      `select extract(epoch from p.last_refreshed_at - s.created_at)::float8 * 1000 as "waitMs"
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      where s.account_id = $1 and substr(s.identifiers->>'mbl', 5)::integer between $2 and $3 and p.last_refreshed_at is not null`,
      [accountId, first, first + count - 1],
    );
    if (rows.length === count) return rows.map(({ waitMs }) => waitMs);
    if (performance.now() > deadline)
      throw new Error(`${count - rows.length} first refreshes were not recorded in time`);
    await pause(pollMs);
  }
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((left, right) => left - right)[Math.floor((values.length - 1) * share)] ?? 0;
}
