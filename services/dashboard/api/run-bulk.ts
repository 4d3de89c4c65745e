import { ProblemError } from './problem-error.ts';

/** The result for one item. `code` is the error code of a failure; null for anything else. */
export type BulkLine<Item> = {
  item: Item;
  outcome: 'done' | 'skipped' | 'failed';
  text: string;
  code: string | null;
};

export type BulkProgress<Item> = {
  lines: readonly BulkLine<Item>[];
  /** Seconds until it continues, while the API asks for a pause. */
  pauseS: number | null;
};

type Bulk<Item> = {
  items: readonly Item[];
  /** Returns what was done; throws `ProblemError` on failure. */
  act: (item: Item, signal: AbortSignal) => Promise<string>;
  report: (progress: BulkProgress<Item>) => void;
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
};

const maxConcurrent = 4;
const maxTries = 6;
const minPauseS = 1;

/**
 * Does one thing to many items, a few at a time. A rate limit or an unavailable API pauses all of them for as long as
 * the response asks, and the item is retried: none is lost or done twice. A permanent failure is reported in its line.
 * After an abort the remaining items are `skipped`.
 */
export async function runBulk<Item>(
  { items, act, report, pause = pauseFor }: Bulk<Item>,
  signal: AbortSignal,
): Promise<BulkLine<Item>[]> {
  const lines: (BulkLine<Item> | undefined)[] = items.map(() => undefined);
  let next = 0;
  let waiting: Promise<void> | null = null;
  const finished = () => lines.filter((line) => line !== undefined);
  const rest = (seconds: number) => {
    waiting ??= (async () => {
      report({ lines: finished(), pauseS: seconds });
      await pause(seconds * 1000, signal);
      waiting = null;
      report({ lines: finished(), pauseS: null });
    })();
    return waiting;
  };
  const doOne = async (item: Item): Promise<BulkLine<Item>> => {
    const skipped = (text: string) => ({ item, outcome: 'skipped' as const, text, code: null });
    for (let tries = 1; ; tries += 1) {
      if (waiting !== null) await waiting;
      if (signal.aborted) return skipped('Not started');
      try {
        return { item, outcome: 'done', text: await act(item, signal), code: null };
      } catch (error) {
        if (signal.aborted) return skipped('Stopped during the request. Check the shipment.');
        if (!isTemporary(error) || tries === maxTries) return failed(item, error);
        await rest(Math.max(minPauseS, (error instanceof ProblemError ? error.retryAfterS : null) ?? 2 ** tries));
      }
    }
  };
  const work = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      lines[index] = await doOne(items[index] as Item);
      report({ lines: finished(), pauseS: null });
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, items.length) }, work));
  return finished();
}

function failed<Item>(item: Item, error: unknown): BulkLine<Item> {
  const problem = error instanceof ProblemError ? error : null;
  return {
    item,
    outcome: 'failed',
    text: problem?.message ?? 'Unexpected dashboard error. Reload the page.',
    code: problem?.code ?? null,
  };
}

/** A refresh limit (`refresh_too_soon`) lasts minutes and is not waited for. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  return error.status === 0 || error.status >= 500 || (error.status === 429 && error.code !== 'refresh_too_soon');
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
