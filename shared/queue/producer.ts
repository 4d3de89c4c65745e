import type { JobsOptions } from 'bullmq';
import { withDeadline } from '#shared/async/deadline.ts';
import type { JobQueue, QueueBackend } from './connection.ts';
import { type JobName, type JobPayload, jobs, type RefreshItem, type WebhookItem } from './jobs.ts';
import { connectionWaitMs } from './queue-settings.ts';
import { createQueueTelemetry } from './queue-telemetry.ts';

export type JobProducer = {
  /**
   * Puts items on the connector's queue, `perJob` (1 by default) in one job. Keeps a queued job with the same first
   * shipment and epoch as it is. Rejects within a quarter of a second if the backend can't be reached, and within a
   * second if it doesn't respond; the items may be queued or not, so leave them to the sweep. `linkOnly` is for the
   * sweep, which waits longer: it keeps the job out of the active trace. `hurried` ones go to the head of the queue while
   * it has places there.
   */
  enqueue(connector: string, items: RefreshItem[], options: EnqueueOptions): Promise<void>;
  /** Puts claimed endpoints on the queue of webhooks, one job an item. Rejects like `enqueue` of a sweep. */
  enqueueWebhooks(items: readonly WebhookItem[]): Promise<void>;
  /** Counts the jobs of one connector by state. Rejects like `enqueue` of a sweep. */
  queueCounts(connector: string): Promise<QueueCounts>;
  /** False if the queue doesn't respond within a second, or can't be reached within three. */
  responds(): Promise<boolean>;
  /** Closes the connections within a second. */
  close(): Promise<void>;
};

export type EnqueueOptions = { linkOnly: boolean; perJob?: number; hurried?: boolean };

export type QueueCounts = { waiting: number; active: number; delayed: number; failed: number };

type OpenQueue = { queue: JobQueue; ready: Promise<void> };

/**
 * A client waits for its job to be queued. Nobody waits for the sweep, and connections of a busy machine are slow.
 * A check says soon whether the queue responds.
 */
const deadlinesMs = {
  client: { ready: 250, command: 1000 },
  sweep: { ready: connectionWaitMs + 1000, command: connectionWaitMs + 1000 },
  check: { ready: 3000, command: 1000 },
};
type Waiting = keyof typeof deadlinesMs;
const closeDeadlineMs = 1000;

/** One queue per connector. The name contains no colon because BullMQ's keys do. */
export function queueNameOf(connector: string): string {
  return `refresh.${connector}`;
}

/** The queue of `deliver-webhooks`. */
export const webhookQueue = 'webhooks';

/**
 * Opens the producing side and connects in the background: an unavailable backend rejects enqueues, never this call.
 */
export function openProducer(backend: QueueBackend): JobProducer {
  const telemetry = createQueueTelemetry(backend.telemetry);
  const openQueues = new Map<string, OpenQueue>();
  const headPlaces = createHeadPlaces();

  const queueOf = (name: string): OpenQueue => {
    const opened = openQueues.get(name);
    if (opened !== undefined) return opened;
    const queue = backend.openQueue(name, telemetry);
    // BullMQ never retries a first connection that failed, so the queue is dropped and the next enqueue opens another.
    const ready = queue.waitUntilReady().then(
      () => undefined,
      (error: unknown) => {
        openQueues.delete(name);
        void closeQueue(queue);
        throw error;
      },
    );
    ready.catch(() => undefined);
    const opening = { queue, ready };
    openQueues.set(name, opening);
    return opening;
  };

  const withQueue = async <T>(
    name: string,
    work: (queue: JobQueue) => Promise<T>,
    waitsFor: Waiting = 'sweep',
  ): Promise<T> => {
    const { queue, ready } = queueOf(name);
    await withinDeadline(ready, deadlinesMs[waitsFor].ready);
    return withinDeadline(work(queue), deadlinesMs[waitsFor].command);
  };

  const add = async (name: string, additions: Addition[], waitsFor: Waiting): Promise<void> => {
    const [only] = additions;
    if (only === undefined) return;
    await withQueue(
      name,
      (queue) => (additions.length === 1 ? queue.add(only.name, only.data, only.opts) : queue.addBulk(additions)),
      waitsFor,
    );
  };

  return {
    enqueue: async (connector, items, { linkOnly, perJob = 1, hurried = false }) => {
      const additions = inBatches(items, perJob).map((batch) => {
        return toAddition(connector, batch, { linkOnly, first: hurried && headPlaces.take(connector) });
      });
      await add(queueNameOf(connector), additions, linkOnly ? 'sweep' : 'client');
    },
    enqueueWebhooks: (items) => add(webhookQueue, items.map(toWebhookAddition), 'sweep'),
    queueCounts: async (connector) => {
      const counts = await withQueue(queueNameOf(connector), (queue) =>
        queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
      );
      return {
        waiting: counts.waiting ?? 0,
        active: counts.active ?? 0,
        delayed: counts.delayed ?? 0,
        failed: counts.failed ?? 0,
      };
    },
    responds: () =>
      withQueue(webhookQueue, (queue) => queue.getJobCounts('active'), 'check').then(
        () => true,
        () => false,
      ),
    close: async () => {
      const closing = [...openQueues.values()].map(({ queue }) => closeQueue(queue));
      openQueues.clear();
      await Promise.all(closing);
    },
  };
}

function inBatches(items: RefreshItem[], size: number): [RefreshItem, ...RefreshItem[]][] {
  const batches: [RefreshItem, ...RefreshItem[]][] = [];
  for (let start = 0; start < items.length; start += size) {
    const [first, ...others] = items.slice(start, start + size);
    if (first !== undefined) batches.push([first, ...others]);
  }
  return batches;
}

type Addition = { name: JobName; data: JobPayload<JobName>; opts: JobsOptions };

function toAddition(
  connector: string,
  items: [RefreshItem, ...RefreshItem[]],
  { linkOnly, first: isFirst }: { linkOnly: boolean; first: boolean },
): Addition {
  const [first] = items;
  return {
    name: 'refresh-shipment',
    data: jobs['refresh-shipment'].payload.parse({ connector, items, ...(isFirst ? { hurried: true } : {}) }),
    opts: {
      ...optionsOf('refresh-shipment', `${first.shipmentId}.${first.epoch}`),
      ...(linkOnly ? withoutContext : {}),
      ...(isFirst ? { lifo: true } : {}),
    },
  };
}

function toWebhookAddition(item: WebhookItem): Addition {
  const data = jobs['deliver-webhooks'].payload.parse(item);
  const [first] = data.endpoints;
  const opts = { ...optionsOf('deliver-webhooks', `${first?.id}.${first?.epoch}`), ...withoutContext };
  return { name: 'deliver-webhooks', data, opts };
}

const withoutContext = { telemetry: { omitContext: true } };

function optionsOf(name: JobName, jobId: string): JobsOptions {
  return { jobId, attempts: jobs[name].attempts, removeOnComplete: true, removeOnFail: true };
}

async function closeQueue(queue: JobQueue): Promise<void> {
  await withinDeadline(queue.close(), closeDeadlineMs).catch(() => queue.disconnect().catch(() => undefined));
}

function withinDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  return withDeadline(work, deadlineMs, `The queue did not respond within ${deadlineMs} ms.`);
}

/** Places at the head of each connector's queue, for refreshes that a client may be waiting for. */
export type HeadPlaces = {
  /** False: no place is left for now, and the job goes to the end of the queue like any other. */
  take: (connector: string) => boolean;
};

const placesPerS = 10;
/** The maximum number of first refreshes in progress for one account and connector. */
const maxPlaces = 20;

/** Limits the places, so that a client that registers continuously can't starve the sweep's jobs. */
export function createHeadPlaces(now: () => number = () => performance.now()): HeadPlaces {
  const buckets = new Map<string, { left: number; atMs: number }>();
  return {
    take: (connector) => {
      const atMs = now();
      const last = buckets.get(connector) ?? { left: maxPlaces, atMs };
      const left = Math.min(maxPlaces, last.left + ((atMs - last.atMs) / 1000) * placesPerS);
      buckets.set(connector, { left: left >= 1 ? left - 1 : left, atMs });
      return left >= 1;
    },
  };
}
