import { Worker } from 'node:worker_threads';
import { settlesWithin, withDeadline } from '#shared/async/deadline.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type FromThread, fromFailure, type ToThread } from './messages.ts';
import type { ParserName } from './parsers.ts';

export type ThreadLimits = {
  /** Of its objects. The bytes of files and the texts of workbooks are outside of it. */
  heapMib: number;
  /** A thread that sends nothing for this long is ended. */
  maxSilenceMs: number;
};

export type ReadOptions = {
  /** Ends the reading, which throws the reason. */
  signal: AbortSignal;
  /** Takes memory, in bytes. Throws LandfallError if it is not free. */
  hold: (bytes: number) => void;
};

export type Task = { parser: ParserName; input: unknown; transfer: readonly ArrayBuffer[] };

export type ParsingThread = {
  read: (task: Task, options: ReadOptions) => AsyncGenerator<unknown>;
  /** False: it reads a file, or has ended. */
  isReady: () => boolean;
  end: () => Promise<void>;
};

const youngMib = 16;
/** Parts that a thread sends before they are asked for. */
const ahead = 2;
/** A thread stops between two steps of its work, which take milliseconds. */
const stopMs = 2000;

/** Starts a thread that reads one file at a time. An error that ends the thread fails the file that it reads. */
export function startThread({ heapMib, maxSilenceMs }: ThreadLimits): ParsingThread {
  const worker = new Worker(new URL('./parsing-thread.ts', import.meta.url), {
    name: 'parsing',
    // Neither the telemetry nor the secrets of the service.
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: youngMib },
  });
  worker.unref();
  let inbox: FromThread[] = [];
  let failure: Error | null = null;
  let isReading = false;
  let wake = (): void => undefined;
  const fail = (error: Error): void => {
    failure ??= error;
    wake();
  };
  worker.on('message', (message: FromThread) => {
    inbox.push(message);
    wake();
  });
  worker.on('error', (error) => fail(toProblem(error)));
  worker.on('exit', () => fail(new Error('the parsing thread has ended')));

  const send = (message: ToThread, transfer: readonly ArrayBuffer[] = []): void =>
    worker.postMessage(message, [...transfer]);
  const next = async (signal: AbortSignal | null): Promise<FromThread> => {
    for (;;) {
      signal?.throwIfAborted();
      const message = inbox.shift();
      if (message !== undefined) return message;
      if (failure !== null) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const end = async (): Promise<void> => {
    fail(new Error('the parsing thread was ended'));
    await worker.terminate();
  };
  const stop = async (): Promise<void> => {
    send({ kind: 'stop' });
    const untilLast = async (): Promise<void> => {
      while (!isLast(await next(null)));
    };
    if (await settlesWithin(untilLast(), stopMs)) isReading = false;
    else await end();
  };

  return {
    isReady: () => failure === null && !isReading,
    end,
    read: async function* ({ parser, input, transfer }, { signal, hold }) {
      const notice = (): void => wake();
      inbox = [];
      isReading = true;
      signal.addEventListener('abort', notice);
      try {
        send({ kind: 'read', parser, input }, transfer);
        for (let each = 0; each < ahead; each += 1) send({ kind: 'more' });
        for (;;) {
          const message = await withDeadline(next(signal), maxSilenceMs, tooSlow);
          isReading = !isLast(message);
          if (message.kind === 'end') return;
          if (message.kind === 'failed') throw fromFailure(message.failure);
          if (message.kind === 'held') hold(message.bytes);
          else {
            send({ kind: 'more' });
            yield message.part;
          }
        }
      } finally {
        signal.removeEventListener('abort', notice);
        if (isReading && failure === null) await stop();
      }
    },
  };
}

function isLast({ kind }: FromThread): boolean {
  return kind === 'end' || kind === 'failed';
}

function toProblem(error: unknown): Error {
  const { code } = error as { code?: string };
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY') return error instanceof Error ? error : new Error(String(error));
  const detail = 'Reading the file takes too much memory. Send it in parts, and a workbook as CSV.';
  return new LandfallError('validation_failed', detail, { cause: error });
}

function tooSlow(): LandfallError {
  const detail = 'Reading the file took too long. Retry in 60 s, or send it in parts.';
  return new LandfallError('unavailable', detail, { retryAfterS: 60 });
}
