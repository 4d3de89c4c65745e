import { sleep } from '#shared/async/sleep.ts';
import type { Play, PostedRow } from './play.ts';

export type PosterOptions = {
  /** The API, and a key with the scope `events:write`. */
  apiUrl: string;
  apiKey: string;
  plays: readonly Play[];
  now: () => number;
  /** Pause between two looks at the clock in real milliseconds. Null: rows are posted only by `post`. */
  everyMs: number | null;
  waits?: { minMs: number; maxMs: number };
};

/** Counts of posts, and of their rows by result. */
export type PosterCounts = { posts: number; taken: number; dropped: number; failures: number };

export type Poster = {
  /** Posts what is new once. False: the API did not take it. */
  post: () => Promise<boolean>;
  counts: () => PosterCounts;
  close: () => Promise<void>;
};

const rowsPerPost = 200;
const answerWithinMs = 10_000;
const usualWaits = { minMs: 500, maxMs: 30_000 };

type Result = { outcome: string; error?: { code?: string } };
/** `taken`: rows that need not be posted again. `waits`: by the shipment that the API doesn't know yet. */
type Played = { play: Play; taken: Set<string>; waits: Map<string, { waitMs: number; againAtMs: number }> };

/**
 * Posts the rows of plays as the clock passes them, each until the API has taken it: a row may arrive twice and never
 * gets lost. What is left to post follows from the clock, so no queue grows while the API is unavailable, and after a
 * restart everything is posted again. A play whose shipment is not registered waits for it.
 */
export function createPoster(options: PosterOptions): Poster {
  const { apiUrl, apiKey, now, everyMs, waits = usualWaits } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const played = options.plays.map((play): Played => ({ play, taken: new Set(), waits: new Map() }));
  const counts: PosterCounts = { posts: 0, taken: 0, dropped: 0, failures: 0 };

  const evaluate = (of: Played, row: PostedRow, { outcome, error }: Result): void => {
    const shipment = shipmentOf(row);
    if (error?.code === 'shipment_not_found') {
      if (of.taken.size === 0) of.play.restart(now());
      const waitMs = Math.min(waits.maxMs, Math.max(waits.minMs, (of.waits.get(shipment)?.waitMs ?? 0) * 2));
      of.waits.set(shipment, { waitMs, againAtMs: now() + waitMs });
      return;
    }
    of.taken.add(row.id);
    of.waits.delete(shipment);
    if (outcome === 'failed') counts.dropped += 1;
    else counts.taken += 1;
  };

  const post = async (): Promise<boolean> => {
    const nowMs = now();
    const rows = played
      .flatMap((of) => of.play.rowsAt(nowMs).map((row) => ({ of, row })))
      .filter(({ of, row }) => !of.taken.has(row.id) && (of.waits.get(shipmentOf(row))?.againAtMs ?? 0) <= nowMs)
      .slice(0, rowsPerPost);
    if (rows.length === 0) return true;
    counts.posts += 1;
    const results = await send(
      { apiUrl, apiKey, signal },
      rows.map(({ row }) => row.body),
    );
    if (results === null || results.length !== rows.length) {
      counts.failures += 1;
      return false;
    }
    // Several rows of a shipment that is not known double its wait once.
    const unknown = new Set<string>();
    for (const [index, { of, row }] of rows.entries()) {
      const result = results[index] as Result;
      const shipment = shipmentOf(row);
      if (unknown.has(shipment)) continue;
      evaluate(of, row, result);
      if (result.error?.code === 'shipment_not_found') unknown.add(shipment);
    }
    return true;
  };

  const run = async (): Promise<void> => {
    let waitMs = waits.minMs;
    while (!signal.aborted) {
      waitMs = (await post()) ? (everyMs ?? waits.minMs) : Math.min(waits.maxMs, Math.max(waits.minMs, waitMs * 2));
      await sleep(waitMs, { signal });
    }
  };
  const running = everyMs === null ? Promise.resolve() : run();

  return {
    post,
    counts: () => ({ ...counts }),
    close: async () => {
      stopping.abort();
      await running;
    },
  };
}

function shipmentOf({ body }: PostedRow): string {
  return JSON.stringify(body['shipment']);
}

/** The results of the rows, in order. Null: the API did not take them, or its answer was lost. */
async function send(
  { apiUrl, apiKey, signal }: Pick<PosterOptions, 'apiUrl' | 'apiKey'> & { signal: AbortSignal },
  events: object[],
): Promise<Result[] | null> {
  try {
    const response = await fetch(`${apiUrl}/v1/events/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return null;
    }
    const { results } = (await response.json()) as { results?: Result[] };
    return Array.isArray(results) ? results : null;
  } catch {
    return null;
  }
}
