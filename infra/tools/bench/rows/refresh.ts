import { Queue } from 'bullmq';
import type { Bench } from '../bench.ts';
import { addDueShipments, type DueShipments } from '../data/due-shipments.ts';
import { subscribeEndpoints } from '../data/subscribe-endpoints.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import type { MeasuredServer } from '../measure/measured-server.ts';
import type { Goal, Measurement, Result, Row } from '../row.ts';
import { serviceEnv } from '../service-env.ts';

/** Refreshes per round: a few seconds of work. The sweep takes up to a second to see what is due. */
const shipmentCount = Number(process.env.BENCH_REFRESHES ?? 8000);
const noOpCount = shipmentCount * 4;
const concurrency = '32';
const pollMs = 5;

/** Refreshes with an unchanged answer, from due to recorded, against BullMQ jobs that do nothing. */
export const refreshUnchangedRow: Row = {
  name: 'refresh-unchanged',
  measure: async (bench) => {
    const { redisUrl, worker, shipments } = await openWorker(bench, { ANSWERS: 'constant' });
    const noOps = await openNoOps(bench, redisUrl);
    // The first refreshes are all changes, and the first calls of each kind mostly pay for compilation.
    await refreshAllOf(bench, { worker, shipments });
    await refreshAllOf(bench, { worker, shipments }, 'unchanged');
    await noOps.measure();
    const rounds = await interleave(bench.rounds, {
      product: () => refreshAllOf(bench, { worker, shipments }, 'unchanged'),
      baseline: noOps.measure,
    });
    await Promise.all([shipments.close(), noOps.close()]);
    return [resultOf('refresh, answer unchanged', 'no-op jobs of BullMQ', { ...rounds, goal: { atLeast: 0.25 } })];
  },
};

/** Refreshes that bring two new events each, from due to recorded, against the straightforward worker. */
export const refreshChangedRow: Row = {
  name: 'refresh-changed',
  measure: async (bench) => {
    const { redisUrl, worker, shipments } = await openWorker(bench, { ANSWERS: 'growing' });
    const obvious = await openObvious(bench, redisUrl);
    await refreshAllOf(bench, { worker, shipments });
    await obvious.measure();
    const rounds = await interleave(bench.rounds, {
      product: () => refreshAllOf(bench, { worker, shipments }, 'changed'),
      baseline: obvious.measure,
    });
    await Promise.all([shipments.close(), obvious.close()]);
    return [resultOf('refresh, answer changed', 'the obvious worker', { ...rounds, goal: { atLeast: 2 } })];
  },
};

/** One build's own side. */
export async function openRefreshes(
  bench: Bench,
  outcome: 'changed' | 'unchanged',
): Promise<() => Promise<Measurement>> {
  const { worker, shipments } = await openWorker(bench, { ANSWERS: outcome === 'changed' ? 'growing' : 'constant' });
  await refreshAllOf(bench, { worker, shipments });
  return () => refreshAllOf(bench, { worker, shipments }, outcome);
}

function resultOf(
  work: string,
  baseline: string,
  { product, baseline: other, goal }: { product: Measurement[]; baseline: Measurement[]; goal: Goal },
): Result {
  const compared = compareRounds(product, other, (one, against) => one.operationsPerS / against.operationsPerS);
  return {
    work,
    baseline,
    compares: 'operations per second',
    ...compared,
    goal,
    product: medians(product),
    baselineCost: medians(other),
  };
}

function redisOf(bench: Bench): string {
  if (bench.redisUrl === null) throw new Error('REDIS_URL must name a Redis that nothing else uses');
  return bench.redisUrl;
}

async function openWorker(
  bench: Bench,
  answers: { ANSWERS: string },
): Promise<{ redisUrl: string; worker: MeasuredServer; shipments: DueShipments }> {
  const redisUrl = redisOf(bench);
  const databaseUrl = await bench.newDatabase();
  const carrier = await bench.startServer({
    file: 'infra/tools/bench/data/answering-carrier.ts',
    env: answers,
    args: [],
  });
  const shipments = await addDueShipments(databaseUrl, shipmentCount);
  const worker = await bench.startServer({
    file: 'services/worker/main.ts',
    env: {
      ...serviceEnv(databaseUrl),
      ...(await subscribeEndpoints(databaseUrl, shipments.accountId)),
      REDIS_URL: redisUrl,
      SIMULATOR: 'on',
      SIMULATOR_URL: carrier.url,
      WORKER_HEALTH_PORT: '0',
      WORKER_CONCURRENCY: concurrency,
      LOG_LEVEL: 'warn',
    },
  });
  return { redisUrl, worker, shipments };
}

/**
 * Makes all shipments due and waits until each is refreshed. Throws if the refreshes had another outcome, because that
 * would be different work.
 */
async function refreshAllOf(
  bench: Bench,
  { worker, shipments }: { worker: MeasuredServer; shipments: DueShipments },
  outcome?: 'changed' | 'unchanged',
): Promise<Measurement> {
  const before = await worker.usage();
  const databaseBefore = bench.databaseCpu();
  const since = await shipments.makeDue();
  // Making them due is the benchmark's own work. Nothing is due before it is committed.
  const startedAt = performance.now();
  const waits = await shipments.untilRefreshed(since);
  const elapsedS = (performance.now() - startedAt) / 1000;
  const after = await worker.usage();
  const databaseAfter = bench.databaseCpu();
  const outcomes = await shipments.outcomes(since);
  if (outcome !== undefined && outcomes[outcome] !== shipmentCount)
    throw new Error(`unexpected outcomes: ${JSON.stringify(outcomes)}`);
  return {
    operationsPerS: shipmentCount / elapsedS,
    cpuPerOperationUs: (after.cpuUs - before.cpuUs) / shipmentCount,
    ...(databaseBefore !== null &&
      databaseAfter !== null && { databaseCpuPerOperationUs: (databaseAfter - databaseBefore) / shipmentCount }),
    ...waits,
    rssMb: after.rssBytes / 1_000_000,
  };
}

async function openNoOps(bench: Bench, redisUrl: string) {
  const worker = await bench.startServer({
    file: 'infra/tools/bench/baselines/no-op-worker.ts',
    env: { REDIS_URL: redisUrl, WORKER_CONCURRENCY: concurrency },
  });
  const queue = new Queue('no-op', { connection: { url: redisUrl } });
  const jobs = Array.from({ length: noOpCount }, () => ({ name: 'no-op', data: {}, opts: { removeOnComplete: true } }));
  return {
    measure: () => drain(worker, queue, jobs),
    close: () => queue.close(),
  };
}

async function openObvious(bench: Bench, redisUrl: string) {
  const databaseUrl = await bench.newDatabase();
  const carrier = await bench.startServer({
    file: 'infra/tools/bench/data/answering-carrier.ts',
    env: { ANSWERS: 'growing' },
  });
  const shipments = await addDueShipments(databaseUrl, shipmentCount);
  const worker = await bench.startServer({
    file: 'infra/tools/bench/baselines/obvious-worker.ts',
    env: {
      ...serviceEnv(databaseUrl),
      REDIS_URL: redisUrl,
      SIMULATOR_URL: carrier.url,
      WORKER_CONCURRENCY: concurrency,
    },
  });
  const queue = new Queue('obvious', { connection: { url: redisUrl } });
  const subjects = await shipments.ids();
  const jobs = subjects.map((data) => ({ name: 'refresh', data, opts: { removeOnComplete: true } }));
  return {
    measure: () => drain(worker, queue, jobs),
    close: () => Promise.all([queue.close(), shipments.close()]),
  };
}

type Jobs = { name: string; data: object; opts: object }[];

/** Jobs that are already queued, measured from the moment that workers may take them. */
async function drain(worker: MeasuredServer, queue: Queue, jobs: Jobs): Promise<Measurement> {
  await queue.pause();
  for (let start = 0; start < jobs.length; start += 1000) await queue.addBulk(jobs.slice(start, start + 1000));
  const before = await worker.usage();
  const startedAt = performance.now();
  await queue.resume();
  while ((await queue.getJobCountByTypes('waiting', 'active')) > 0)
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  const elapsedMs = performance.now() - startedAt;
  const after = await worker.usage();
  return {
    operationsPerS: (jobs.length / elapsedMs) * 1000,
    cpuPerOperationUs: (after.cpuUs - before.cpuUs) / jobs.length,
    p50Ms: elapsedMs / 2,
    p99Ms: elapsedMs,
    rssMb: after.rssBytes / 1_000_000,
  };
}
