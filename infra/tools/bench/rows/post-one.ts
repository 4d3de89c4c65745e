import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { prepareQueue, queuePrefix } from '#shared/queue/connection.ts';
import type { Bench } from '../bench.ts';
import { openBenchAccount } from '../bench-account.ts';
import { subscribeEndpoints } from '../data/subscribe-endpoints.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { type Load, measureLoad } from '../load.ts';
import type { MeasuredServer } from '../measure/measured-server.ts';
import type { Goal, Measurement, Result, Row } from '../row.ts';
import { serviceEnv } from '../service-env.ts';

type Work = {
  name: string;
  connections: number;
  withKey: boolean;
  compares: string;
  ratio: (ours: Measurement, theirs: Measurement) => number;
  goal: Goal;
};

const perSecond = {
  compares: 'our ops/s ÷ its',
  ratio: (ours: Measurement, theirs: Measurement) => ours.operationsPerS / theirs.operationsPerS,
};

const works: readonly Work[] = [
  { name: 'POST one, 64 connections', connections: 64, withKey: false, ...perSecond, goal: { atLeast: 2 } },
  {
    name: 'POST one, 64 connections, Idempotency-Key',
    connections: 64,
    withKey: true,
    ...perSecond,
    goal: { atLeast: 2 },
  },
  {
    name: 'POST one, 1 connection',
    connections: 1,
    withKey: false,
    compares: 'its p50 ÷ ours',
    ratio: (ours, theirs) => theirs.p50Ms / ours.p50Ms,
    goal: { atLeast: 1 },
  },
];

/**
 * Durable registrations, one per request, against the straightforward version: one transaction and one job per
 * registration.
 */
export const postOneRow: Row = { name: 'post-one', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const [product, obvious] = [
    await openPostSide(bench, 'services/api/main.ts', 'product'),
    await openPostSide(bench, 'infra/tools/bench/baselines/obvious-api.ts', 'obvious'),
  ];
  const results: Result[] = [];
  for (const work of works) {
    bench.note(work.name);
    const load = (side: Side) => () => postAll(bench, side, { ...work, seconds: bench.seconds });
    const rounds = await interleave(bench.rounds, { product: load(product), obvious: load(obvious) });
    results.push({
      work: work.name,
      baseline: 'the obvious version',
      compares: work.compares,
      ...compareRounds(rounds.product, rounds.obvious, work.ratio),
      goal: work.goal,
      product: medians(rounds.product),
      baselineCost: medians(rounds.obvious),
    });
  }
  return results;
}

/** One build's own side: 64 connections, no idempotency key. */
export async function openPostOne(bench: Bench): Promise<() => Promise<Measurement>> {
  const side = await openPostSide(bench, 'services/api/main.ts', 'build');
  return () => postAll(bench, side, { connections: 64, withKey: false, seconds: bench.seconds });
}

type Side = { server: MeasuredServer; key: string; sent: number };

/** Each side has a database of its own, so that data left by one side does not slow down the other. */
export async function openPostSide(bench: Bench, file: string, name: string): Promise<Side> {
  const databaseUrl = await bench.newDatabase();
  const { key, accountId } = await openBenchAccount(databaseUrl);
  const redisUrl = bench.redisUrl === null ? null : redisOf(bench.redisUrl, name);
  await prepareQueue({
    redisUrl,
    databaseUrl: serviceUrlOf(databaseUrl),
    prefix: queuePrefix,
    telemetry: false,
    onError: () => {},
  });
  const env = {
    ...serviceEnv(databaseUrl),
    ...(await subscribeEndpoints(databaseUrl, accountId)),
    PORT: '0',
    HOST: '127.0.0.1',
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
  };
  return { server: await bench.startServer({ file, env }), key, sent: 0 };
}

/** A numbered database of the same Redis for each side. */
function redisOf(redisUrl: string, name: string): string {
  const url = new URL(redisUrl);
  // Each build receives a database of its own.
  if (name !== 'build') url.pathname = name === 'product' ? '/1' : '/2';
  return url.href;
}

/** Registers shipments, one per request. `atLeast` and `isGood`: as in `Load`. */
export function postAll(
  { databaseCpu }: Bench,
  side: Side,
  {
    connections,
    withKey,
    seconds,
    atLeast = 300,
    isGood = (status) => status === 201,
  }: Pick<Work, 'connections' | 'withKey'> & { seconds: number } & Partial<Pick<Load, 'atLeast' | 'isGood'>>,
): Promise<Measurement> {
  return measureLoad(side.server, {
    connections,
    seconds,
    atLeast,
    databaseCpu,
    request: () => {
      side.sent += 1;
      return {
        method: 'POST',
        path: '/v1/shipments',
        headers: {
          authorization: `Bearer ${side.key}`,
          'content-type': 'application/json',
          ...(withKey ? { 'idempotency-key': `bench-${side.sent}` } : {}),
        },
        body: JSON.stringify({
          transport_mode: 'ocean',
          carrier: 'MAEU',
          identifiers: { mbl: `MAEU${100_000_000 + side.sent}`, booking: `BK${1_000_000 + side.sent}` },
          reference: `PO-${side.sent}`,
          tags: ['acme'],
          metadata: { buyer: 'acme' },
        }),
      };
    },
    isGood,
  });
}
