import { type FairQueue, fairQueue } from '#shared/async/fair-queue.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type InputOf, type ParserName, type PartOf, parsers } from './parsers.ts';
import { type ParsingThread, type ReadOptions, startThread, type Task, type ThreadLimits } from './start-thread.ts';

/** Files of strangers are read on threads, so that the worst of them ends one request and delays no other. */
export type Parsing = {
  /**
   * Reads a file in parts, on a thread unless it is small. The bytes are moved there: the caller has them no more. The
   * caller must read to the end, return, or abort the signal. Throws what the parser throws; LandfallError
   * `account_busy` or `unavailable` if no thread is free in time; `validation_failed` if a thread ran out of memory.
   */
  read: <Name extends ParserName>(
    parser: Name,
    input: InputOf<Name>,
    options: ReadOptions & ThreadChoice,
  ) => AsyncGenerator<PartOf<Name>>;
  close: () => Promise<void>;
};

type ThreadChoice = {
  accountId: string;
  /** True: the reader stores each part before it asks for the next, so that the database sets the pace. */
  isStored: boolean;
};

/** `threads`: of each set. */
export type ParsingLimits = ThreadLimits & { threads: number; idleMs: number; maxWaitMs: number };

/**
 * Sets of threads, none of which waits for another: a thread is kept until its reader has finished. `small`: files that
 * are stored within seconds, of accounts that keep no other thread.
 */
type SetName = 'small' | 'stored' | 'shown';

const defaultLimits: ParsingLimits = {
  // Each takes some 100 MB while it reads, and the largest workbook.
  threads: 1,
  heapMib: 128,
  maxSilenceMs: 60_000,
  idleMs: 10_000,
  maxWaitMs: 30_000,
};
/** Its rows, at two to five bytes each when packed, are stored in some 10 s. */
const maxSmallBytes = 128 * 1024;
const maxWaitingOfAccount = 20;
const retryAfterS = 5;

export function openParsing(limits: ParsingLimits = defaultLimits): Parsing {
  let isClosing = false;
  const threads = new Set<ParsingThread>();
  const idle = new Map<ParsingThread, NodeJS.Timeout>();
  const openSet = (): FairQueue =>
    fairQueue({
      maxRunning: limits.threads,
      maxRunningOfKey: 1,
      maxWaitingOfKey: maxWaitingOfAccount,
      maxWaitMs: limits.maxWaitMs,
      refusal: (isOwnLoad) => (isOwnLoad ? accountBusy() : serverBusy()),
      cancellation: (reason) => reason as Error,
    });
  const sets: Record<SetName, FairQueue> = { small: openSet(), stored: openSet(), shown: openSet() };
  /** Files of each account that are read on a thread, or wait for one. */
  const filesOf = new Map<string, number>();
  const count = (accountId: string, change: 1 | -1): void => {
    const files = (filesOf.get(accountId) ?? 0) + change;
    if (files === 0) filesOf.delete(accountId);
    else filesOf.set(accountId, files);
  };
  const setFor = (bytes: number, { accountId, isStored }: ThreadChoice): FairQueue => {
    if (!isStored) return sets.shown;
    return bytes <= maxSmallBytes && !filesOf.has(accountId) ? sets.small : sets.stored;
  };

  const end = (thread: ParsingThread): Promise<void> => {
    threads.delete(thread);
    return thread.end();
  };
  const take = (): ParsingThread => {
    if (isClosing)
      throw new LandfallError('unavailable', 'The server is shutting down. Retry in 5 s.', { retryAfterS });
    for (const [thread, timer] of idle) {
      idle.delete(thread);
      clearTimeout(timer);
      if (thread.isReady()) return thread;
      threads.delete(thread);
    }
    const thread = startThread(limits);
    threads.add(thread);
    return thread;
  };
  const giveBack = (thread: ParsingThread): void => {
    if (!thread.isReady() || isClosing) return void end(thread);
    const timer = setTimeout(() => {
      idle.delete(thread);
      end(thread);
    }, limits.idleMs);
    timer.unref();
    idle.set(thread, timer);
  };

  /** Keeps a thread from when it is free until the work has ended or the signal aborts. */
  async function* onThread(set: FairQueue, key: string, task: Task, options: ReadOptions): AsyncGenerator<unknown> {
    const { signal } = options;
    const over = Promise.withResolvers<void>();
    const started = Promise.withResolvers<ParsingThread>();
    const keep = async (): Promise<void> => {
      const thread = take();
      started.resolve(thread);
      // A caller that reads no further doesn't notice that the signal aborts.
      signal.addEventListener('abort', () => over.resolve(), { once: true });
      await over.promise;
      giveBack(thread);
    };
    count(key, 1);
    set
      .run(key, keep, signal)
      .catch(started.reject)
      .finally(() => count(key, -1));
    try {
      const thread = await started.promise;
      yield* thread.read(task, options);
    } finally {
      over.resolve();
    }
  }

  return {
    read: async function* (parser, input, options) {
      const { maxInlineBytes, load } = parsers[parser];
      const { bytes } = input;
      if (bytes.length <= maxInlineBytes) {
        yield* (await load())(input, options.hold);
        return;
      }
      const set = setFor(bytes.length, options);
      const moved = isOwn(bytes) ? bytes : new Uint8Array(bytes);
      const task = { parser, input: { ...input, bytes: moved }, transfer: [moved.buffer as ArrayBuffer] };
      yield* onThread(set, options.accountId, task, options) as AsyncGenerator<PartOf<typeof parser>>;
    },
    close: async () => {
      isClosing = true;
      await Promise.all([...threads].map(end));
    },
  };
}

/** True when the bytes share their memory with no others. */
function isOwn({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  return byteOffset === 0 && byteLength === buffer.byteLength;
}

function accountBusy(): LandfallError {
  const detail = 'Large files of this account are being read. Send them one after the other, and retry in 5 s.';
  return new LandfallError('account_busy', detail, { retryAfterS });
}

function serverBusy(): LandfallError {
  return new LandfallError('unavailable', 'Too many large files are being read. Retry in 5 s.', { retryAfterS });
}
