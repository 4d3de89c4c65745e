import type { Bench } from '../bench.ts';
import { openWebhookWorld, sendBare, type WebhookWorld } from '../data/webhook-world.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { pause } from '../live-fleet.ts';
import type { MeasuredServer } from '../measure/measured-server.ts';
import type { Measurement, Result, Row } from '../row.ts';

const goalPerS = 1500;
const idleGoalMs = 300;
/** `WEBHOOK_CONCURRENCY` of a worker. */
const places = 256;
const changesAtOnce = 200;
const changeEveryMs = 400;

type Delays = Measurement & { p95Ms: number };
type Side = { world: WebhookWorld; worker: MeasuredServer; healthy: number };

/**
 * Deliveries of one worker with their log. First as many as it can send to 100 endpoints of two accounts, beside a loop
 * that only signs and posts; then the time from commit to receipt, with 100 endpoints that are idle, and with one that
 * hangs and one that refuses among them. CPU and memory are the worker's.
 */
export const webhooksRow: Row = { name: 'webhooks', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const busy = await openSide(bench, { accounts: 2, healthy: 50 }, 7);
  const idle = await openSide(bench, { accounts: 2, healthy: 49 }, 8);
  const troubled = await openSide(bench, { accounts: 2, healthy: 49, troubled: ['hangs', 'refuses'] }, 9);
  try {
    const sent = await interleave<'worker' | 'bare'>(bench.rounds, {
      worker: () => deliverAll(bench, busy),
      bare: () => deliverBare(changesAtOnce * busy.healthy),
    });
    const delays = await interleave<'hundred' | 'idle' | 'troubled', Delays>(bench.rounds, {
      hundred: () => delaysOf(bench, busy),
      idle: () => delaysOf(bench, idle),
      troubled: () => delaysOf(bench, troubled),
    });
    return [
      {
        work: 'webhooks, deliveries with log',
        baseline: `${goalPerS.toLocaleString('en')} a second`,
        compares: 'deliveries/s ÷ the goal',
        ...compareRounds(sent.worker, sent.bare, (ours) => ours.operationsPerS / goalPerS),
        goal: { atLeast: 1 },
        product: medians(sent.worker),
        baselineCost: medians(sent.bare),
      },
      {
        work: 'webhooks, deliveries with log',
        baseline: 'a loop that signs and posts',
        compares: 'deliveries/s ÷ its',
        ...compareRounds(sent.worker, sent.bare, (ours, theirs) => ours.operationsPerS / theirs.operationsPerS),
        goal: { atLeast: 0.2 },
        product: medians(sent.worker),
        baselineCost: medians(sent.bare),
      },
      {
        work: 'webhooks, commit to receipt, 100 endpoints, idle',
        baseline: `${idleGoalMs} ms`,
        compares: 'p95 ÷ the limit',
        ...compareRounds(delays.hundred, delays.idle, (ours) => ours.p95Ms / idleGoalMs),
        goal: { atMost: 1 },
        product: asP95(delays.hundred),
        baselineCost: asP95(delays.idle),
      },
      {
        work: 'webhooks, 98 endpoints beside one that hangs and one that refuses',
        baseline: '98 alone',
        compares: 'p95 ÷ p95 alone',
        ...compareRounds(delays.troubled, delays.idle, (ours, theirs) => ours.p95Ms / theirs.p95Ms),
        goal: { atMost: 1.2 },
        product: asP95(delays.troubled),
        baselineCost: asP95(delays.idle),
      },
    ];
  } finally {
    await Promise.all([busy, idle, troubled].map(({ world }) => world.close()));
  }
}

async function openSide(
  bench: Bench,
  size: Parameters<typeof openWebhookWorld>[1],
  redis: number | null,
): Promise<Side> {
  const world = await openWebhookWorld(bench, size, redis);
  const worker = await bench.startServer({ file: 'services/worker/main.ts', env: world.env });
  return { world, worker, healthy: size.accounts * size.healthy };
}

/** One build's own side: deliveries to 100 endpoints, as many as the time holds at the goal's rate. */
export async function openDeliveries(bench: Bench): Promise<() => Promise<Measurement>> {
  const side = await openSide(bench, { accounts: 2, healthy: 50 }, null);
  const changes = Math.max(1, Math.round((bench.seconds * goalPerS) / side.healthy));
  return () => deliverAll(bench, side, changes);
}

/** Changes of both accounts at once, until every endpoint has received all of them. */
async function deliverAll(
  bench: Bench,
  { world, worker, healthy }: Side,
  changes = changesAtOnce,
): Promise<Measurement> {
  const total = changes * healthy;
  const before = await worker.usage();
  const cpuBefore = bench.databaseCpu();
  const startedAt = performance.now();
  await world.change(changes);
  await world.received(total);
  const elapsedMs = performance.now() - startedAt;
  const after = await worker.usage();
  const cpuAfter = bench.databaseCpu();
  bench.note(`${Math.round((total / elapsedMs) * 1000)} deliveries a second`);
  return {
    operationsPerS: (total / elapsedMs) * 1000,
    cpuPerOperationUs: (after.cpuUs - before.cpuUs) / total,
    ...(cpuBefore !== null && cpuAfter !== null && { databaseCpuPerOperationUs: (cpuAfter - cpuBefore) / total }),
    p50Ms: elapsedMs,
    p99Ms: elapsedMs,
    rssMb: after.rssBytes / 1e6,
  };
}

async function deliverBare(total: number): Promise<Measurement> {
  const { ms, cpuUs, rss } = await sendBare(total, places);
  return {
    operationsPerS: (total / ms) * 1000,
    cpuPerOperationUs: cpuUs / total,
    p50Ms: ms,
    p99Ms: ms,
    rssMb: rss / 1e6,
  };
}

/** One change of each account now and then. */
async function delaysOf(bench: Bench, { world, worker, healthy }: Side): Promise<Delays> {
  const times = Math.max(3, Math.round((bench.seconds * 1000) / changeEveryMs));
  const before = await worker.usage();
  const delaysMs: number[] = [];
  const startedAt = performance.now();
  for (let time = 0; time < times; time += 1) {
    const committed = await world.change(1);
    for (const [name, atMs] of await world.received(healthy)) {
      const since = committed.get(name);
      if (since !== undefined) delaysMs.push(Math.max(0, atMs - since));
    }
    await pause(changeEveryMs * (0.5 + Math.random()));
  }
  const elapsedS = (performance.now() - startedAt) / 1000;
  const after = await worker.usage();
  delaysMs.sort((left, right) => left - right);
  const quantile = (share: number): number => delaysMs[Math.ceil(share * delaysMs.length) - 1] ?? 0;
  bench.note(`p50 ${quantile(0.5).toFixed(0)} ms, p95 ${quantile(0.95).toFixed(0)} ms`);
  return {
    operationsPerS: delaysMs.length / elapsedS,
    cpuPerOperationUs: (after.cpuUs - before.cpuUs) / delaysMs.length,
    p50Ms: quantile(0.5),
    p95Ms: quantile(0.95),
    p99Ms: quantile(0.99),
    rssMb: after.rssBytes / 1e6,
  };
}

/** The report's p99 is a p95 here. */
function asP95(rounds: readonly Delays[]): Measurement {
  return medians(rounds.map((round) => ({ ...round, p99Ms: round.p95Ms })));
}
