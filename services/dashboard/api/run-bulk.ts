import { ProblemError } from './problem-error.ts';

export type BulkLine<Item> = { item: Item; outcome: 'done' | 'skipped' | 'failed'; words: string };

export type BulkProgress<Item> = {
  lines: readonly BulkLine<Item>[];
  /** Seconds until it goes on, while the service asked for a pause. */
  pauseS: number | null;
};

type Bulk<Item> = {
  items: readonly Item[];
  /** What was done, in words; throws `ProblemError` where it was refused. */
  act: (item: Item, signal: AbortSignal) => Promise<string>;
  tell: (progress: BulkProgress<Item>) => void;
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
};

const atOnce = 4;
const mostTries = 6;
const leastPauseS = 1;

/**
 * Does one thing to many, a few at a time. A 429 of the account's limit, or a service that cannot answer now, makes all of them wait as long
 * as was asked and the same one is tried again: none is lost, none is done twice for it. What is refused for good is told by its line.
 * Ended by the signal, what was not begun is `skipped`.
 */
export async function runBulk<Item>(
  { items, act, tell, pause }: Bulk<Item>,
  signal: AbortSignal,
): Promise<BulkLine<Item>[]> {
  const lines: (BulkLine<Item> | undefined)[] = items.map(() => undefined);
  let next = 0;
  let waiting: Promise<void> | null = null;
  const told = () => lines.filter((line) => line !== undefined);
  const rest = (seconds: number) => {
    waiting ??= (async () => {
      tell({ lines: told(), pauseS: seconds });
      await pause(seconds * 1000, signal);
      waiting = null;
      tell({ lines: told(), pauseS: null });
    })();
    return waiting;
  };
  const doOne = async (item: Item): Promise<BulkLine<Item>> => {
    for (let tries = 1; ; tries += 1) {
      if (waiting !== null) await waiting;
      if (signal.aborted) return { item, outcome: 'skipped', words: 'Not done: stopped' };
      try {
        return { item, outcome: 'done', words: await act(item, signal) };
      } catch (error) {
        if (signal.aborted) return { item, outcome: 'skipped', words: 'Stopped while it was asked for: look at it' };
        if (!isPassing(error) || tries === mostTries) {
          return {
            item,
            outcome: 'failed',
            words: error instanceof ProblemError ? error.message : 'A fault of this page',
          };
        }
        await rest(Math.max(leastPauseS, (error instanceof ProblemError ? error.retryAfterS : null) ?? 2 ** tries));
      }
    }
  };
  const work = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      lines[index] = await doOne(items[index] as Item);
      tell({ lines: told(), pauseS: null });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return told();
}

/** Later it may go well. A shipment that was looked at just now (`refresh_too_soon`) is not waited for: that takes minutes. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  return error.status === 0 || error.status >= 500 || (error.status === 429 && error.code !== 'refresh_too_soon');
}
