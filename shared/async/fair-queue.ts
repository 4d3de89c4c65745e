export type FairQueueOptions = {
  /** Work that runs at the same time, and of it work of one key. */
  maxRunning: number;
  maxRunningOfKey: number;
  /** More waiting work of one key is refused at once. */
  maxWaitingOfKey: number;
  maxWaitMs: number;
  /**
   * The error of refused work. `isOwnLoad`: the other work of the same key is in the way. Otherwise that of other keys
   * is.
   */
  refusal: (isOwnLoad: boolean) => Error;
  /** The error of work whose signal aborted before it started. `reason`: the signal's. */
  cancellation: (reason: unknown) => Error;
};

export type FairQueue = {
  /**
   * Runs `work` when it is the key's turn, and settles as `work` does. Throws the refusal when it can't start, and the
   * cancellation when the signal aborts before it started. `isResumed`: it gave up its place to others, and waits for
   * the next one as long as it takes.
   */
  run: <T>(key: string, work: () => Promise<T>, signal?: AbortSignal, isResumed?: boolean) => Promise<T>;
  /** Work that waits for its turn. */
  waiting: () => number;
  /** True if work of another key waits. */
  hasOthers: (key: string) => boolean;
};

type Line = { running: number; waiting: Set<() => void> };

/**
 * Shares a limited number of places among keys. Keys that wait take turns, one piece of work each, so that a key with a
 * thousand pieces delays another by one of them at most. Work of one key starts in its order.
 */
export function fairQueue(options: FairQueueOptions): FairQueue {
  const { maxRunning, maxRunningOfKey, maxWaitingOfKey, maxWaitMs, refusal, cancellation } = options;
  /** Keys with running or waiting work, in the order of their turns. */
  const lines = new Map<string, Line>();
  let running = 0;

  const lineOf = (key: string): Line => {
    const line = lines.get(key) ?? { running: 0, waiting: new Set() };
    lines.set(key, line);
    return line;
  };
  const forget = (key: string, line: Line): void => {
    if (line.running === 0 && line.waiting.size === 0) lines.delete(key);
  };
  const take = (line: Line): void => {
    running += 1;
    line.running += 1;
  };
  const startNext = (): void => {
    for (const [key, line] of lines) {
      if (running >= maxRunning) return;
      const [start] = line.waiting;
      if (start === undefined || line.running >= maxRunningOfKey) continue;
      // Its next turn comes after those of all others.
      lines.delete(key);
      lines.set(key, line);
      line.waiting.delete(start);
      take(line);
      start();
    }
  };
  const leave = (key: string, line: Line): void => {
    running -= 1;
    line.running -= 1;
    forget(key, line);
    startNext();
  };

  type Wait = { key: string; line: Line; signal: AbortSignal | undefined; isResumed: boolean };
  const wait = ({ key, line, signal, isResumed }: Wait): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const start = (): void => {
        settle();
        resolve();
      };
      const end = (error: unknown): void => {
        settle();
        line.waiting.delete(start);
        forget(key, line);
        reject(error);
      };
      const giveUp = (): void => end(cancellation(signal?.reason));
      const refuse = () => end(refusal(line.running >= maxRunningOfKey));
      const timer = isResumed ? undefined : setTimeout(refuse, maxWaitMs);
      signal?.addEventListener('abort', giveUp);
      line.waiting.add(start);
    });

  return {
    run: async (key, work, signal, isResumed = false) => {
      if (signal?.aborted) throw cancellation(signal.reason);
      const line = lineOf(key);
      if (running < maxRunning && line.running < maxRunningOfKey) take(line);
      else if (line.waiting.size >= maxWaitingOfKey && !isResumed) throw refusal(true);
      else await wait({ key, line, signal, isResumed });
      try {
        return await work();
      } finally {
        leave(key, line);
      }
    },
    waiting: () => [...lines.values()].reduce((sum, line) => sum + line.waiting.size, 0),
    hasOthers: (key) => [...lines].some(([other, { waiting }]) => other !== key && waiting.size > 0),
  };
}
