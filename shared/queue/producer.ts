import type { JobsOptions } from 'bullmq';
import { type JobQueue, openQueue, type QueueSettings, type RefreshPayload } from './connection.ts';
import { createHeadPlaces } from './head-places.ts';
import { jobs, type RefreshItem } from './jobs.ts';
import { createQueueTelemetry } from './queue-telemetry.ts';

export type RefreshProducer = {
  /**
   * Puts items on the connector's queue, `perJob` (1 by default) in one job; a job whose first shipment and epoch are queued already is left as it is. Rejects within
   * a quarter of a second when the backend cannot be reached; what it then does with the items is unknown, so leave them to the sweep.
   * `linkOnly` keeps the job out of the active trace.
   */
  enqueue(connector: string, items: RefreshItem[], options: { linkOnly: boolean; perJob?: number }): Promise<void>;
  /** Jobs of one connector by state, for health. */
  queueCounts(connector: string): Promise<QueueCounts>;
  /** Drops every job of one connector; the shipments become due again when their leases end. */
  emptyQueue(connector: string): Promise<void>;
  /** Lets go of the connections within a second. */
  close(): Promise<void>;
};

export type QueueCounts = { waiting: number; active: number; delayed: number; failed: number };

type OpenQueue = { queue: JobQueue; ready: Promise<void> };

/** A client waits for its own job's queue; nobody waits for the sweep, whose first connection on a busy machine may take its time. */
const readyDeadlineMs = { client: 250, sweep: 3000 };
const commandDeadlineMs = 1000;
const closeDeadlineMs = 1000;
const refreshJob = 'refresh-shipment';

/** One queue per connector; the name holds no colon because BullMQ's keys do. */
export function queueNameOf(connector: string): string {
  return `refresh.${connector}`;
}

/** Opens the producing side. Connecting happens in the background: a backend that is away rejects enqueues, never this. */
export function openProducer(settings: QueueSettings): RefreshProducer {
  const telemetry = createQueueTelemetry(settings.telemetry);
  const openQueues = new Map<string, OpenQueue>();
  const headPlaces = createHeadPlaces();

  const queueOf = (connector: string): OpenQueue => {
    const opened = openQueues.get(connector);
    if (opened !== undefined) return opened;
    const queue = openQueue(settings, queueNameOf(connector), telemetry);
    // BullMQ remembers a first connection that failed for ever, so such a queue is thrown away and the next enqueue opens another.
    const ready = queue.waitUntilReady().then(
      () => undefined,
      (error: unknown) => {
        openQueues.delete(connector);
        void letGo(queue);
        throw error;
      },
    );
    ready.catch(() => undefined);
    const opening = { queue, ready };
    openQueues.set(connector, opening);
    return opening;
  };

  const withQueue = async <T>(
    connector: string,
    work: (queue: JobQueue) => Promise<T>,
    waitsFor: keyof typeof readyDeadlineMs = 'sweep',
  ): Promise<T> => {
    const { queue, ready } = queueOf(connector);
    await within(readyDeadlineMs[waitsFor], ready);
    return within(commandDeadlineMs, work(queue));
  };

  return {
    enqueue: async (connector, items, { linkOnly, perJob = 1 }) => {
      const additions = inBatches(items, perJob).map((batch) => {
        return toAddition(connector, batch, { linkOnly, first: !linkOnly && headPlaces.take(connector) });
      });
      if (additions.length === 0) return;
      const add = (queue: JobQueue) => {
        const [only] = additions;
        return additions.length === 1 && only !== undefined
          ? queue.add(only.name, only.data, only.opts)
          : queue.addBulk(additions);
      };
      await withQueue(connector, add, linkOnly ? 'sweep' : 'client');
    },
    queueCounts: async (connector) => {
      const counts = await withQueue(connector, (queue) =>
        queue.getJobCounts('waiting', 'active', 'delayed', 'failed'),
      );
      return {
        waiting: counts.waiting ?? 0,
        active: counts.active ?? 0,
        delayed: counts.delayed ?? 0,
        failed: counts.failed ?? 0,
      };
    },
    emptyQueue: (connector) => withQueue(connector, (queue) => queue.obliterate({ force: true })),
    close: async () => {
      const closing = [...openQueues.values()].map(({ queue }) => letGo(queue));
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

type Addition = { name: string; data: RefreshPayload; opts: JobsOptions };

function toAddition(
  connector: string,
  items: [RefreshItem, ...RefreshItem[]],
  { linkOnly, first: isFirst }: { linkOnly: boolean; first: boolean },
): Addition {
  const [first] = items;
  return {
    name: refreshJob,
    data: jobs[refreshJob].payload.parse({ connector, items, ...(isFirst ? { hurried: true } : {}) }),
    opts: {
      jobId: `${first.shipmentId}.${first.epoch}`,
      attempts: jobs[refreshJob].attempts,
      removeOnComplete: true,
      removeOnFail: true,
      ...(linkOnly ? { telemetry: { omitContext: true } } : {}),
      ...(isFirst ? { lifo: true } : {}),
    },
  };
}

/** Rejects with a `queue_timeout` error when `work` takes longer than `deadlineMs`; `work` itself goes on. */
async function within<T>(deadlineMs: number, work: Promise<T>): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      reject(Object.assign(new Error(`the queue did not answer within ${deadlineMs} ms`), { code: 'queue_timeout' })),
    deadlineMs,
  );
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

async function letGo(queue: JobQueue): Promise<void> {
  await within(closeDeadlineMs, queue.close()).catch(() => queue.disconnect().catch(() => undefined));
}
