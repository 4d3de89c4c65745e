import { settlesWithin } from '#shared/async/deadline.ts';
import { type FairQueue, fairQueue } from '#shared/async/fair-queue.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type InputOf, type ParserName, type PartOf, parsers } from './parsers.ts';
import {
  type ParsingThread,
  type ReadOptions,
  type ReadPart,
  startThread,
  type Task,
  type ThreadLimits,
} from './start-thread.ts';

/** Files of strangers are read on threads, so that the worst of them ends one request and delays no other. */
export type Parsing = {
  /**
   * Reads a file in parts, on a thread unless it is small. The bytes must not change. The caller must read to the end,
   * return, or abort the signal. Throws what the parser throws; LandfallError `account_busy` or `unavailable` if no
   * thread is free in time; `validation_failed` if a thread ran out of memory.
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

/** `threads`: of each set. `turnMs`: after it a file makes room for those of other accounts. */
export type ParsingLimits = ThreadLimits & { threads: number; idleMs: number; maxWaitMs: number; turnMs: number };

/** Sets of threads: what is read within a second or two doesn't wait for what is stored. */
type SetName = 'stored' | 'shown';

const defaultLimits: ParsingLimits = {
  threads: 1,
  // The largest EDI files that are accepted are read in 40.
  heapMib: 64,
  maxSilenceMs: 60_000,
  idleMs: 10_000,
  maxWaitMs: 20_000,
  turnMs: 3000,
};
const maxWaitingOfAccount = 20;
const retryAfterS = 5;
/** Between two looks at whether other accounts wait. */
const lookMs = 100;

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
  const sets: Record<SetName, FairQueue> = { stored: openSet(), shown: openSet() };

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

  type Turn = { thread: ParsingThread; begin: () => void; end: () => void };

  /**
   * Waits for a thread and keeps it until the turn or the signal ends, or pauses it when the turn has begun `turnMs` ago
   * and other accounts wait.
   */
  const takeTurn = (set: FairQueue, key: string, signal: AbortSignal, isResumed: boolean): Promise<Turn> => {
    const over = Promise.withResolvers<void>();
    const started = Promise.withResolvers<Turn>();
    let begunAt = Number.POSITIVE_INFINITY;
    const keep = async (): Promise<void> => {
      const thread = take();
      const begin = (): void => {
        begunAt = Math.min(begunAt, performance.now());
      };
      started.resolve({ thread, begin, end: over.resolve });
      // A caller that reads no further doesn't notice that the signal aborts.
      signal.addEventListener('abort', () => over.resolve(), { once: true });
      for (;;) {
        if (await settlesWithin(over.promise, lookMs)) break;
        if (performance.now() - begunAt < limits.turnMs || !set.hasOthers(key)) continue;
        await thread.pause();
        break;
      }
      giveBack(thread);
    };
    set.run(key, keep, signal, isResumed).catch(started.reject);
    return started.promise;
  };

  /** Reads a file on a thread, in as many turns as it needs. */
  async function* inTurns(set: FairQueue, { parser, input, options }: Read): AsyncGenerator<unknown> {
    let isRead = false;
    let passed = 0;
    let held = 0;
    while (!isRead) {
      const turn = await takeTurn(set, options.accountId, options.signal, passed > 0);
      // Each turn reads the file from its start, and takes again what it holds.
      let heldNow = 0;
      const hold = (more: number): void => {
        heldNow += more;
        if (heldNow <= held) return;
        options.hold(heldNow - held);
        held = heldNow;
      };
      const task: Task = { parser, input, passed };
      try {
        isRead = yield* eachPart(turn.thread.read(task, { signal: options.signal, hold }), (units) => {
          turn.begin();
          passed += units;
        });
      } finally {
        turn.end();
      }
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
      const set = sets[options.isStored ? 'stored' : 'shown'];
      const read = { parser, input: { ...input, bytes: shared(bytes) }, options };
      yield* inTurns(set, read) as AsyncGenerator<PartOf<typeof parser>>;
    },
    close: async () => {
      isClosing = true;
      await Promise.all([...threads].map(end));
    },
  };
}

type Read = { parser: ParserName; input: { bytes: Uint8Array }; options: ReadOptions & ThreadChoice };

/** The parts that a thread reads. `count` gets what each counts. */
async function* eachPart(
  reading: AsyncGenerator<ReadPart, boolean>,
  count: (units: number) => void,
): AsyncGenerator<unknown, boolean> {
  let isRead = false;
  async function* untilEnd() {
    isRead = yield* reading;
  }
  for await (const { part, units } of untilEnd()) {
    count(units);
    yield part;
  }
  return isRead;
}

/** Bytes that several threads can read, each time that it is the file's turn. */
function shared(bytes: Uint8Array): Uint8Array {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

function accountBusy(): LandfallError {
  const detail = 'Large files of this account are being read. Send them one after the other, and retry in 5 s.';
  return new LandfallError('account_busy', detail, { retryAfterS });
}

function serverBusy(): LandfallError {
  return new LandfallError('unavailable', 'Too many large files are being read. Retry in 5 s.', { retryAfterS });
}
