import process from 'node:process';
import { withDeadline } from '#shared/async/deadline.ts';
import { observeGauge } from './instruments.ts';
import type { EventLoopWatch } from './watch-event-loop.ts';

/** Age in seconds of the oldest waiting work of each kind, 0 if none waits. `dueCount` is counted up to a limit. */
export type WaitingWork = { dueOldestAgeS: number; dueCount: number; unsequencedAgeS: number; deliveryAgeS: number };

export type GaugeSources = {
  waitingWork: () => Promise<WaitingWork>;
  queues: () => Promise<
    readonly { connector: string; counts: Record<'waiting' | 'active' | 'delayed' | 'failed', number> }[]
  >;
  /** Requests waiting for a connection, by pool. */
  poolWaiting: () => Record<string, number>;
  eventLoop: Pick<EventLoopWatch, 'read'>;
  /** Measures the progress of settling. Absent: another process publishes it. */
  settling?: () => Promise<{ due: number; bytes: number }>;
  /** The backlog of webhook endpoints. Absent: another process publishes it. */
  webhooks?: () => Promise<{ backlog: number; oldestAgeS: number | null; failing: number }>;
  /** Measures the alerts that wait to be sent. Absent: another process publishes it. */
  alerts?: () => Promise<{ waiting: number; oldestUnsentAgeS: number }>;
  /** Measures the time for which refreshes have been stopped. Absent: another process publishes it. */
  stalledS?: () => number | null;
  /** The state of the carriers in this process. Absent: the process calls no carriers. */
  carriers?: () => readonly { connector: string; circuit: 'closed' | 'half_open' | 'open'; budgetLeft: number }[];
};

export type PublishedGauges = { stop: () => void };

const readEveryMs = 10_000;
const readDeadlineMs = 2000;
const circuitLevels = { closed: 0, half_open: 1, open: 2 } as const;

/**
 * Publishes the gauges of the catalogue, which are read when metrics are collected. The database and the queue are read
 * at most every ten seconds. A source that is unavailable or slow is left out.
 */
export function publishGauges(sources: GaugeSources): PublishedGauges {
  const work = remembered(sources.waitingWork);
  const queues = remembered(sources.queues);
  const carriers = sources.carriers ?? (() => []);
  const settling = remembered(sources.settling ?? (async () => null));
  const webhooks = remembered(sources.webhooks ?? (async () => null));
  const alerts = remembered(sources.alerts ?? (async () => null));
  const loop = sources.eventLoop;
  const alone = (value: number) => [{ value, attributes: {} }];
  const alonePart = async (part: 'due' | 'bytes') => {
    const state = await settling();
    return state === null ? [] : alone(state[part]);
  };
  const ofWebhooks = async (part: 'backlog' | 'oldestAgeS' | 'failing') => {
    const state = await webhooks();
    return state === null ? [] : alone(state[part] ?? 0);
  };
  const ofAlerts = async (part: 'waiting' | 'oldestUnsentAgeS') => {
    const state = await alerts();
    return state === null ? [] : alone(state[part]);
  };
  const gauges = [
    observeGauge('landfall.alert.waiting', () => ofAlerts('waiting')),
    observeGauge('landfall.alert.oldest_unsent_age', () => ofAlerts('oldestUnsentAgeS')),
    observeGauge('landfall.webhook.backlog', () => ofWebhooks('backlog')),
    observeGauge('landfall.webhook.oldest_age', () => ofWebhooks('oldestAgeS')),
    observeGauge('landfall.webhook.failing', () => ofWebhooks('failing')),
    observeGauge('landfall.settling.due', () => alonePart('due')),
    observeGauge('landfall.settling.bytes', () => alonePart('bytes')),
    observeGauge('landfall.due.oldest_age', async () => alone((await work()).dueOldestAgeS)),
    observeGauge('landfall.due.count', async () => alone((await work()).dueCount)),
    observeGauge('landfall.refresh.stalled', () => (sources.stalledS ? alone(sources.stalledS() ?? 0) : [])),
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
      for (const gauge of gauges) gauge.stop();
    },
  };
}

/** Reads at most every ten seconds. Callers before then share the value or the error. */
function remembered<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { atMs: number; value: Promise<T> } | null = null;
  return () => {
    const nowMs = performance.now();
    if (last === null || nowMs - last.atMs >= readEveryMs) {
      last = { atMs: nowMs, value: withDeadline(read(), readDeadlineMs, `No response within ${readDeadlineMs} ms.`) };
      last.value.catch(() => undefined);
    }
    return last.value;
  };
}

function worstOf(
  values: readonly { connector: string; value: number }[],
  worse: (left: number, right: number) => number,
) {
  const worst = new Map<string, number>();
  for (const { connector, value } of values) worst.set(connector, worse(value, worst.get(connector) ?? value));
  return [...worst].map(([connector, value]) => ({ value, attributes: { connector } }));
}
