import { UnrecoverableError } from 'bullmq';
import { runWithin, settlesWithin } from '#shared/async/deadline.ts';
import type { JobWorker, QueueBackend } from './connection.ts';
import { type JobName, type JobPayload, jobs } from './jobs.ts';
import { createQueueTelemetry } from './queue-telemetry.ts';

export type ConsumerOptions<Name extends JobName> = {
  queue: string;
  /** The only job of the queue. */
  job: Name;
  concurrency: number;
  /**
   * Runs one job. The signal aborts when the job times out or the consumer closes; its result is then ignored. A job
   * that loses its lock goes on: epochs in Postgres refuse what comes too late.
   */
  handle(payload: JobPayload<Name>, signal: AbortSignal): Promise<void>;
  /** Time for which a job stays with a worker that doesn't renew its lock. Default: the backend's. */
  lockDurationMs?: number;
  stalledIntervalMs?: number;
};

export type JobConsumer = {
  /** Resolves when the consumer first reaches its queue, or is closed. */
  ready: Promise<void>;
  /** False until the queue is reached for the first time. */
  isReady(): boolean;
  /**
   * Takes no more jobs, waits up to `deadlineMs` for running ones, then aborts them. Resolves within half a second of
   * that.
   */
  close(deadlineMs: number): Promise<void>;
};

const defaultStalledIntervalMs = 2000;
const reopenAfterMs = 1000;
const abortGraceMs = 250;

/**
 * Consumes one queue until closed. Reports a lost backend to `onError` and reconnects; never ends the
 * process.
 */
export function openConsumer<Name extends JobName>(backend: QueueBackend, options: ConsumerOptions<Name>): JobConsumer {
  const { payload: schema, timeoutMs } = jobs[options.job];
  const closing = new AbortController();
  const aborting = new AbortController();
  const firstReady = Promise.withResolvers<void>();
  const telemetry = createQueueTelemetry(backend.telemetry);
  let worker: JobWorker;
  let connected = false;
  let reopening: NodeJS.Timeout | undefined;

  const processor = async (job: { data: unknown }): Promise<void> => {
    const payload = schema.safeParse(job.data);
    if (!payload.success) throw new UnrecoverableError(`Dropped a malformed ${options.job} job.`);
    await runWithin((signal) => options.handle(payload.data as JobPayload<Name>, signal), {
      timeoutMs,
      signals: [aborting.signal],
      late: 'The job timed out.',
    });
  };

  const open = (): void => {
    const opened = backend.openWorker(
      { name: options.queue, limits: limitsOf(backend, options), telemetry },
      processor,
    );
    worker = opened;
    opened.waitUntilReady().then(
      () => {
        connected = true;
        firstReady.resolve();
      },
      // BullMQ never retries a first connection that failed, so the worker is replaced.
      (error: unknown) => {
        if (closing.signal.aborted) return;
        backend.onError(
          error instanceof Error ? error : new Error('Could not connect to the queue.', { cause: error }),
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
      if (await settlesWithin(drained, deadlineMs)) return;
      aborting.abort(new Error('The worker is stopping.'));
      if (await settlesWithin(drained, abortGraceMs)) return;
      await settlesWithin(worker.disconnect(), abortGraceMs);
    },
  };
}

type LimitOptions = Pick<ConsumerOptions<JobName>, 'concurrency' | 'lockDurationMs' | 'stalledIntervalMs'>;

function limitsOf({ lockMs }: Pick<QueueBackend, 'lockMs'>, options: LimitOptions) {
  return {
    concurrency: options.concurrency,
    lockDuration: options.lockDurationMs ?? lockMs,
    stalledInterval: options.stalledIntervalMs ?? defaultStalledIntervalMs,
    maxStalledCount: 5,
    // After a lost connection; BullMQ's default is 15 s.
    runRetryDelay: 1000,
    drainDelay: 5,
  };
}

async function forceClose(worker: JobWorker): Promise<void> {
  if (await settlesWithin(worker.close(), abortGraceMs)) return;
  await settlesWithin(worker.disconnect(), abortGraceMs);
}
