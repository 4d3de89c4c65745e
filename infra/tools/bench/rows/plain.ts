import { randomBytes } from 'node:crypto';
import type { Bench } from '../bench.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { measureLoad } from '../load.ts';
import type { MeasuredServer } from '../measure/measured-server.ts';
import type { Goal, Measurement, Result, Row } from '../row.ts';
import { openPostSide, postAll } from './post-one.ts';

const connections = 64;
/** Fewer don't warm a side up, and say nothing about its p99. */
const minPosts = 1000;
/** Registered beforehand and read in turn. */
const read = 1000;

type Side = { server: MeasuredServer; key: string; sent: number };
type Comparison = {
  what: string;
  compares: string;
  ratio: (ours: Measurement, theirs: Measurement) => number;
  goal: Goal;
};

/** `least`: the required ratio of rates; `cpu`: the largest permitted share of its CPU time in the API. */
const comparisons = ({ least, cpu }: { least: number; cpu: number }): readonly Comparison[] => [
  {
    what: 'rate',
    compares: 'our ops/s ÷ its',
    ratio: (ours, theirs) => ours.operationsPerS / theirs.operationsPerS,
    goal: { atLeast: least },
  },
  { what: 'p99', compares: 'our p99 ÷ its', ratio: (ours, theirs) => ours.p99Ms / theirs.p99Ms, goal: { atMost: 1 } },
  {
    what: 'API CPU',
    compares: 'our CPU/op ÷ its',
    ratio: (ours, theirs) => ours.cpuPerOperationUs / theirs.cpuPerOperationUs,
    goal: { atMost: cpu },
  },
  {
    what: 'PostgreSQL CPU',
    compares: 'our DB/op ÷ its',
    ratio: (ours, theirs) => (ours.databaseCpuPerOperationUs ?? Number.NaN) / (theirs.databaseCpuPerOperationUs ?? 0),
    goal: { atMost: 1 },
  },
];

/**
 * Registrations and single reads against a plain API that an engineer writes in an afternoon: one table with four
 * indexes, a key lookup per request, one insert, one job. Landfall's side keeps tracing, logs, row-level security,
 * rate limits and durability. Each side reads what it registered before.
 */
export const plainRow: Row = { name: 'plain', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const product = await openPostSide(bench, 'services/api/main.ts', 'product');
  const plain = await openPlain(bench);
  const posts = {
    product: () => postAll(bench, product, postOf(bench)),
    plain: () => postAll(bench, plain, postOf(bench)),
  };
  bench.note(`POST one, ${connections} connections`);
  const posted = await interleave(bench.rounds, posts);
  const gets = { product: await openReads(bench, product), plain: await openReads(bench, plain) };
  bench.note(`GET one, ${connections} connections`);
  const got = await interleave(bench.rounds, gets);
  const resultsOf = (work: string, rounds: typeof posted, goals: { least: number; cpu: number }): Result[] =>
    comparisons(goals).map(({ what, compares, ratio, goal }) => ({
      work: `${work}, ${what}`,
      baseline: 'the plain API',
      compares,
      ...compareRounds(rounds.product, rounds.plain, ratio),
      goal,
      product: medians(rounds.product),
      baselineCost: medians(rounds.plain),
    }));
  return [...resultsOf('POST', posted, { least: 2, cpu: 0.5 }), ...resultsOf('GET', got, { least: 3, cpu: 0.5 })];
}

function postOf({ seconds }: Bench) {
  return { connections, withKey: false, seconds, atLeast: minPosts };
}

async function openPlain(bench: Bench): Promise<Side> {
  const key = `svc_live_${randomBytes(24).toString('hex')}`;
  const env = {
    DATABASE_URL: await bench.newDatabase(),
    PLAIN_KEY: key,
    NODE_ENV: 'production',
    ...(bench.redisUrl === null ? {} : { REDIS_URL: new URL('/2', bench.redisUrl).href }),
  };
  return { server: await bench.startServer({ file: 'infra/tools/bench/baselines/plain-api.ts', env }), key, sent: 0 };
}

/** Registers shipments and returns a round of reads of them. */
async function openReads(bench: Bench, side: Side): Promise<() => Promise<Measurement>> {
  const ids: string[] = [];
  const keep = (text: string) => {
    const { shipment_id: ours, id = ours } = JSON.parse(text) as { shipment_id?: string; id?: string };
    if (id !== undefined) ids.push(id);
    return id !== undefined;
  };
  await postAll(bench, side, { ...postOf(bench), seconds: 0, atLeast: read, isGood: (_status, text) => keep(text) });
  const headers = { authorization: `Bearer ${side.key}` };
  return () =>
    measureLoad(side.server, {
      connections,
      seconds: bench.seconds,
      atLeast: 3000,
      request: (n) => ({ method: 'GET', path: `/v1/shipments/${ids[n % ids.length]}`, headers }),
      isGood: (status) => status === 200,
      databaseCpu: bench.databaseCpu,
    });
}
