import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { observeGauge } from './instruments.ts';

/** Age in seconds of the oldest of each kind of work that waits, 0 where none does; `dueCount` is counted up to a limit. */
export type WaitingWork = { dueOldestAgeS: number; dueCount: number; unsequencedAgeS: number; deliveryAgeS: number };

export type GaugeSources = {
  waitingWork: () => Promise<WaitingWork>;
  queues: () => Promise<
    readonly { connector: string; counts: Record<'waiting' | 'active' | 'delayed' | 'failed', number> }[]
  >;
  /** Requests that wait for a connection, by pool. */
  poolWaiting: () => Record<string, number>;
  /** What this process knows of its carriers; absent: it asks none. */
  carriers?: () => readonly { connector: string; circuit: 'closed' | 'half_open' | 'open'; budgetLeft: number }[];
};

export type PublishedGauges = { stop: () => void };

const askEveryMs = 10_000;
const answerWithinMs = 2000;
const loopResolutionMs = 20;
const circuitLevels = { closed: 0, half_open: 1, open: 2 } as const;

/**
 * Publishes the gauges of the catalogue. They are read when somebody collects them; what asks the database or the queue is asked at most
 * every ten seconds, and a source that is away or slow is left out.
 */
export function publishGauges(sources: GaugeSources): PublishedGauges {
  const work = remembered(sources.waitingWork);
  const queues = remembered(sources.queues);
  const carriers = sources.carriers ?? (() => []);
  const loop = watchEventLoop();
  const alone = (value: number) => [{ value, attributes: {} }];
  const gauges = [
    observeGauge('landfall.due.oldest_age', async () => alone((await work()).dueOldestAgeS)),
    observeGauge('landfall.due.count', async () => alone((await work()).dueCount)),
    observeGauge('landfall.feed.unsequenced_age', async () => alone((await work()).unsequencedAgeS)),
    observeGauge('landfall.push.oldest_age', async () => alone((await work()).deliveryAgeS)),
    observeGauge('landfall.queue.jobs', async () =>
      (await queues()).flatMap(({ connector, counts }) =>
        Object.entries(counts).map(([state, value]) => ({ value, attributes: { connector, state } })),
      ),
    ),
    observeGauge('landfall.db.pool.waiting', () =>
      Object.entries(sources.poolWaiting()).map(([pool, value]) => ({ value, attributes: { pool } })),
    ),
    observeGauge('landfall.carrier.circuit', () =>
      worstOf(
        carriers().map(({ connector, circuit }) => ({ connector, value: circuitLevels[circuit] })),
        Math.max,
      ),
    ),
    observeGauge('landfall.carrier.budget_left', () =>
      worstOf(
        carriers().map(({ connector, budgetLeft }) => ({ connector, value: budgetLeft })),
        Math.min,
      ),
    ),
    observeGauge('nodejs.eventloop.delay.p50', () => alone(loop.read().p50S)),
    observeGauge('nodejs.eventloop.delay.p99', () => alone(loop.read().p99S)),
    observeGauge('nodejs.eventloop.delay.max', () => alone(loop.read().maxS)),
    observeGauge('process.memory.usage', () => alone(process.memoryUsage.rss())),
  ];
  return {
    stop: () => {
      loop.stop();
      for (const gauge of gauges) gauge.stop();
    },
  };
}

/** Asks at most every ten seconds; whoever comes meanwhile gets the same answer, or the same failure. */
function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: { atMs: number; value: Promise<T> } | null = null;
  return () => {
    const nowMs = performance.now();
    if (answer === null || nowMs - answer.atMs >= askEveryMs) {
      answer = { atMs: nowMs, value: within(answerWithinMs, ask()) };
      answer.value.catch(() => undefined);
    }
    return answer.value;
  };
}

async function within<T>(deadlineMs: number, work: Promise<T>): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${deadlineMs} ms`)), deadlineMs);
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

function worstOf(
  values: readonly { connector: string; value: number }[],
  worse: (left: number, right: number) => number,
) {
  const worst = new Map<string, number>();
  for (const { connector, value } of values) worst.set(connector, worse(value, worst.get(connector) ?? value));
  return [...worst].map(([connector, value]) => ({ value, attributes: { connector } }));
}

/** The delays of the last ten seconds or more, whoever reads them and how often. */
function watchEventLoop(): { read: () => { p50S: number; p99S: number; maxS: number }; stop: () => void } {
  const histogram = monitorEventLoopDelay({ resolution: loopResolutionMs });
  histogram.enable();
  // What it measures includes the pause between two refreshes.
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - loopResolutionMs / 1000);
  let seen: { atMs: number; delays: { p50S: number; p99S: number; maxS: number } } | null = null;
  return {
    read: () => {
      const nowMs = performance.now();
      if (seen !== null && nowMs - seen.atMs < askEveryMs) return seen.delays;
      const isEmpty = histogram.count === 0;
      const at = (percentile: number): number => (isEmpty ? 0 : seconds(histogram.percentile(percentile)));
      const delays = { p50S: at(50), p99S: at(99), maxS: isEmpty ? 0 : seconds(histogram.max) };
      histogram.reset();
      seen = { atMs: nowMs, delays };
      return delays;
    },
    stop: () => void histogram.disable(),
  };
}
