import { UnrecoverableError } from 'bullmq';
import { type JobWorker, openWorker, type QueueSettings, type RefreshPayload } from './connection.ts';
import { jobs } from './jobs.ts';
import { queueNameOf } from './producer.ts';
import { createQueueTelemetry } from './queue-telemetry.ts';

export type ConsumerOptions = {
  connector: string;
  concurrency: number;
  /** Does one job. The signal aborts when the job's time is up, its lock is lost or the consumer closes; what it does after that is ignored. */
  handle(payload: RefreshPayload, signal: AbortSignal): Promise<void>;
  /** How long a vanished worker keeps a job. */
  lockDurationMs?: number;
  stalledIntervalMs?: number;
};

export type RefreshConsumer = {
  /** Resolves when the consumer first reached its queue, or is closed. */
  ready: Promise<void>;
  /** False while the queue has not been reached. */
  isReady(): boolean;
  /** Takes no more jobs, waits up to `deadlineMs` for those in hand, then aborts them. Resolves within half a second after that. */
  close(deadlineMs: number): Promise<void>;
};

const refreshJob = 'refresh-shipment';
const defaultLockMs = 10_000;
const defaultStalledIntervalMs = 2000;
const reopenAfterMs = 1000;
const abortGraceMs = 250;

/** Consumes one connector's queue until closed. A lost backend is reported to `onError` and waited for; nothing here ends the process. */
export function openConsumer(settings: QueueSettings, options: ConsumerOptions): RefreshConsumer {
  const closing = new AbortController();
  const aborting = new AbortController();
  const firstReady = Promise.withResolvers<void>();
  const telemetry = createQueueTelemetry(settings.telemetry);
  let worker: JobWorker;
  let connected = false;
  let reopening: NodeJS.Timeout | undefined;

  const processor = async (job: { data: unknown }, _token?: string, lockLost?: AbortSignal): Promise<void> => {
    const payload = jobs[refreshJob].payload.safeParse(job.data);
    if (!payload.success) throw new UnrecoverableError(`a malformed ${refreshJob} job was dropped`);
    await withinTime([aborting.signal, lockLost], (signal) => options.handle(payload.data, signal));
  };

  const open = (): void => {
    const opened = openWorker(
      settings,
      { name: queueNameOf(options.connector), limits: limitsOf(options), telemetry },
      processor,
    );
    worker = opened;
    opened.waitUntilReady().then(
      () => {
        connected = true;
        firstReady.resolve();
      },
      // BullMQ remembers a first connection that failed for ever, so the worker is replaced.
      (error: unknown) => {
        if (closing.signal.aborted) return;
        settings.onError(
          error instanceof Error ? error : new Error('the queue could not be reached', { cause: error }),
        );
        void forceClose(opened);
        reopening = setTimeout(open, reopenAfterMs);
      },
    );
  };

  open();
  return {
    ready: firstReady.promise,
    isReady: () => connected,
    close: async (deadlineMs) => {
      closing.abort();
      clearTimeout(reopening);
      connected = false;
      firstReady.resolve();
      const drained = worker.close();
      drained.catch(() => undefined);
      if (await settlesWithin(deadlineMs, drained)) return;
      aborting.abort(new Error('the worker is stopping'));
      if (await settlesWithin(abortGraceMs, drained)) return;
      await settlesWithin(abortGraceMs, worker.disconnect());
    },
  };
}

function limitsOf(options: ConsumerOptions) {
  return {
    concurrency: options.concurrency,
    lockDuration: options.lockDurationMs ?? defaultLockMs,
    stalledInterval: options.stalledIntervalMs ?? defaultStalledIntervalMs,
    maxStalledCount: 5,
    // BullMQ waits 15 s by default after a lost connection.
    runRetryDelay: 1000,
    drainDelay: 5,
  };
}

/**
 * Settles with `work`, or rejects with the signal's reason when the job's time is up or an outer signal aborts, so that a handler deaf to its
 * signal still frees its place. Nothing of it lives on when the work is over, as `AbortSignal.timeout` would.
 */
async function withinTime(
  outer: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const ending = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    ending.abort(reason);
    reject(ending.signal.reason);
  };
  const timer = setTimeout(
    () => end(new DOMException('The time of the job is up.', 'TimeoutError')),
    jobs[refreshJob].timeoutMs,
  );
  const listening = outer.flatMap((signal) => {
    if (signal === undefined) return [];
    const listen = (): void => end(signal.reason);
    signal.addEventListener('abort', listen, { once: true });
    if (signal.aborted) listen();
    return [{ signal, listen }];
  });
  ended.catch(() => undefined);
  const working = work(ending.signal);
  try {
    await Promise.race([working, ended]);
  } finally {
    clearTimeout(timer);
    for (const { signal, listen } of listening) signal.removeEventListener('abort', listen);
    working.catch(() => undefined);
  }
}

async function forceClose(worker: JobWorker): Promise<void> {
  if (await settlesWithin(abortGraceMs, worker.close())) return;
  await settlesWithin(abortGraceMs, worker.disconnect());
}

/** True when `work` settles, either way, within `deadlineMs`. */
async function settlesWithin(deadlineMs: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: expired, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), deadlineMs);
  const settled = work.then(
    () => true as const,
    () => true as const,
  );
  try {
    return await Promise.race([settled, expired]);
  } finally {
    clearTimeout(timer);
  }
}
