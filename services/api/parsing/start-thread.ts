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

/** `input`: with shared bytes. `passed`: what an earlier reading of the same file passed on. */
export type Task = { parser: ParserName; input: { bytes: Uint8Array }; passed: number };

/** A part with what is counted as `passed`. */
export type ReadPart = { part: unknown; units: number };

export type ParsingThread = {
  /** Reads a file. Returns true at its end, and false if it was paused before. */
  read: (task: Task, options: ReadOptions) => AsyncGenerator<ReadPart, boolean>;
  /** Ends the reading early, also while its reader is busy with a part. */
  pause: () => Promise<void>;
  /** False: it reads a file, has ended, or keeps what a large file left. */
  isReady: () => boolean;
  end: () => Promise<void>;
};

/** Three semi-spaces. Parts live for milliseconds. */
const youngMib = 6;
/**
 * A thread that has read as much is ended when it is free. Its heap keeps its size, and holds the bytes of its files until
 * the next collection. Starting one takes a tenth of a second.
 */
const maxLeftBytes = 48 * 1024 ** 2;
/** The bytes of a file and what becomes of them, beside what its parser takes. */
const leftPerByte = 8;
/** Parts that a thread sends before they are asked for. */
const ahead = 2;
/** A thread stops between two steps of its work, which take milliseconds, and longer on a busy machine. */
const stopMs = 5000;

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
  /** Messages about the last file. Its reader may take it after the thread has gone on to the next one. */
  let reading: { inbox: FromThread[]; wake: () => void } = { inbox: [], wake: () => undefined };
  let failure: Error | null = null;
  let last = Promise.withResolvers<void>();
  let isReading = false;
  let leftBytes = 0;
  const fail = (error: Error): void => {
    failure ??= error;
    last.resolve();
    reading.wake();
  };
  worker.on('message', (message: FromThread) => {
    reading.inbox.push(message);
    if (isLast(message)) {
      isReading = false;
      last.resolve();
    }
    reading.wake();
  });
  worker.on('error', (error) => fail(toProblem(error)));
  worker.on('exit', () => fail(new Error('the parsing thread has ended')));

  const send = (message: ToThread): void => worker.postMessage(message);
  const end = async (): Promise<void> => {
    fail(new Error('the parsing thread was ended'));
    await worker.terminate();
  };
  const pause = async (): Promise<void> => {
    if (!isReading || failure !== null) return;
    send({ kind: 'stop' });
    if (await settlesWithin(last.promise, stopMs)) return;
    fail(tooSlow());
    await end();
  };

  return {
    isReady: () => failure === null && !isReading && leftBytes < maxLeftBytes,
    end,
    pause,
    read: async function* ({ parser, input, passed }, { signal, hold }) {
      const own: typeof reading = { inbox: [], wake: () => undefined };
      reading = own;
      last = Promise.withResolvers<void>();
      isReading = true;
      leftBytes += leftPerByte * input.bytes.length;
      const notice = (): void => own.wake();
      const next = async (): Promise<FromThread> => {
        for (;;) {
          signal.throwIfAborted();
          const message = own.inbox.shift();
          if (message !== undefined) return message;
          if (failure !== null) throw failure;
          await new Promise<void>((resolve) => {
            own.wake = resolve;
          });
        }
      };
      signal.addEventListener('abort', notice);
      let isOver = false;
      try {
        send({ kind: 'read', parser, input, passed });
        for (let each = 0; each < ahead; each += 1) send({ kind: 'more' });
        for (;;) {
          const message = await withDeadline(next(), maxSilenceMs, tooSlow);
          isOver = isLast(message);
          if (message.kind === 'end') return true;
          if (message.kind === 'stopped') return false;
          if (message.kind === 'failed') throw fromFailure(message.failure);
          if (message.kind === 'held') {
            leftBytes += message.bytes;
            hold(message.bytes);
          } else {
            if (isReading && reading === own) send({ kind: 'more' });
            yield message;
          }
        }
      } finally {
        signal.removeEventListener('abort', notice);
        if (!isOver && reading === own) await pause();
      }
    },
  };
}

function isLast({ kind }: FromThread): boolean {
  return kind === 'end' || kind === 'failed' || kind === 'stopped';
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
