import type { WireChange, WireChangeList, WireShipmentChange } from '#shared/contract/feed/change-wire.ts';
import { ProblemError } from './problem-error.ts';

/** Changes in feed order. `gap`: changes before them are missing, so everything shown has to be reloaded. */
export type FeedChanges = { changes: readonly WireChange[]; gap: boolean };

type Options = {
  read: (after: number | 'latest', signal: AbortSignal) => Promise<WireChangeList>;
  /** Resolves after `ms`, or earlier when the page becomes visible or online, or when the signal aborts. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  publish: (feed: FeedChanges) => void;
  /** Receives after each request whether it succeeded. */
  reportRead: (isConnected: boolean) => void;
};

/** Webhook endpoints change too, without a shipment. */
export function isOfShipment(change: WireChange): change is WireShipmentChange {
  return 'shipment' in change.data;
}

const intervalMs = 3000;
const maxBackoffMs = 30_000;

/**
 * Follows the feed from now on until the signal aborts, without losing changes: a failed page is retried from the end
 * of the last one, and an expired position restarts the feed with `gap`.
 */
export async function followChanges({ read, pause, publish, reportRead }: Options, signal: AbortSignal): Promise<void> {
  let after: number | 'latest' = 'latest';
  let hasLostPosition = false;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const { data, page } = await read(after, signal);
      if (signal.aborted) return;
      reportRead(true);
      const gap = hasLostPosition || (after !== 'latest' && page.gap);
      if (data.length > 0 || gap) publish({ changes: data, gap });
      after = page.next_after;
      hasLostPosition = false;
      failures = 0;
      if (page.has_more) continue;
      await pause(intervalMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ProblemError && error.status === 400 && after !== 'latest') {
        after = 'latest';
        hasLostPosition = true;
        continue;
      }
      failures += 1;
      reportRead(false);
      const retryAfterMs = error instanceof ProblemError && error.retryAfterS !== null ? error.retryAfterS * 1000 : 0;
      await pause(Math.max(retryAfterMs, Math.min(maxBackoffMs, intervalMs * 2 ** failures)), signal);
    }
  }
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
