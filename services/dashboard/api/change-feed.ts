import type { WireChange, WireChangeList, WireShipmentChange } from '#shared/contract/feed/change-wire.ts';
import type { StreamEnd, StreamPart } from './change-stream.ts';
import { ProblemError } from './problem-error.ts';

/** Changes in feed order. `gap`: changes before them are missing, so everything shown has to be reloaded. */
export type FeedChanges = { changes: readonly WireChange[]; gap: boolean };

type Options = {
  read: (after: number | 'latest', signal: AbortSignal) => Promise<WireChangeList>;
  /** Resolves when the stream has ended. Throws `ProblemError` if it can't be opened. */
  stream: (after: number, onPart: (part: StreamPart) => void, signal: AbortSignal) => Promise<StreamEnd>;
  /** Resolves after `ms`, or earlier when the page becomes visible or online, or when the signal aborts. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  publish: (feed: FeedChanges) => void;
  /** Receives after each request, and with everything that arrives on the stream, whether it succeeded. */
  reportRead: (isConnected: boolean) => void;
  now: () => number;
};

/** Webhook endpoints change too, without a shipment. */
export function isOfShipment(change: WireChange): change is WireShipmentChange {
  return 'shipment' in change.data;
}

const intervalMs = 3000;
const maxBackoffMs = 30_000;
/** Pages are read for this long before an empty stream is tried again: a proxy on the way may buffer it. */
const pollForMs = 60_000;

/**
 * Follows the feed from now on until the signal aborts, without losing changes: by the stream, and by pages where it
 * does not arrive. Whatever fails is retried from the last position, and an expired position restarts the feed with
 * `gap`.
 */
export async function followChanges(options: Options, signal: AbortSignal): Promise<void> {
  const { read, stream, pause, publish, reportRead, now } = options;
  let after: number | 'latest' = 'latest';
  let hasLostPosition = false;
  let failures = 0;
  let pollUntil = 0;

  const readPage = async (): Promise<number> => {
    const { data, page } = await read(after, signal);
    if (signal.aborted) return 0;
    reportRead(true);
    const gap = hasLostPosition || (after !== 'latest' && page.gap);
    if (data.length > 0 || gap) publish({ changes: data, gap });
    after = page.next_after;
    hasLostPosition = false;
    failures = 0;
    if (page.has_more || now() >= pollUntil) return 0;
    return intervalMs;
  };

  const readStream = async (position: number): Promise<number> => {
    const end = await stream(
      position,
      ({ changes, gap, lastId }) => {
        if (signal.aborted) return;
        reportRead(true);
        failures = 0;
        after = lastId ?? after;
        if (changes.length > 0 || gap) publish({ changes, gap });
      },
      signal,
    );
    if (end.isWithheld) {
      pollUntil = now() + pollForMs;
      return 0;
    }
    return end.retryMs;
  };

  while (!signal.aborted) {
    try {
      const pauseMs = after === 'latest' || now() < pollUntil ? await readPage() : await readStream(after);
      if (!signal.aborted && pauseMs > 0) await pause(pauseMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ProblemError && error.status === 400 && after !== 'latest') {
        after = 'latest';
        hasLostPosition = true;
        continue;
      }
      // Too many streams are open, or something on the way does not know them.
      if (now() >= pollUntil && after !== 'latest' && isRefused(error)) {
        pollUntil = now() + pollForMs;
        continue;
      }
      failures += 1;
      reportRead(false);
      const retryAfterMs = error instanceof ProblemError && error.retryAfterS !== null ? error.retryAfterS * 1000 : 0;
      await pause(Math.max(retryAfterMs, Math.min(maxBackoffMs, intervalMs * 2 ** failures)), signal);
    }
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ProblemError && [404, 405, 406, 429].includes(error.status);
}

const listeners = new Set<(feed: FeedChanges) => void>();

/** Calls the listener for every change while the dashboard is open. Returns a function that unsubscribes. */
export function onChanges(listener: (feed: FeedChanges) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function publishChanges(feed: FeedChanges): void {
  for (const listener of listeners) listener(feed);
}
