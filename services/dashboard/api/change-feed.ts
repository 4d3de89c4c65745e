import type { WireChange, WireChangeList } from '#shared/contract/feed/change-wire.ts';
import { ProblemError } from './problem-error.ts';

/** Changes in the order of the feed; `gap`: some are missing before them, so what is shown has to be read anew. */
export type News = { changes: readonly WireChange[]; gap: boolean };

type Following = {
  read: (after: number | 'latest', signal: AbortSignal) => Promise<WireChangeList>;
  /** Resolves after so long, or at once when there is reason to look, or when the signal ends it. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  publish: (news: News) => void;
  /** Told after each page that was asked for: whether it came. */
  tell: (isAnswered: boolean) => void;
};

const everyMs = 3000;
const mostMs = 30_000;

/**
 * Follows the feed from now on until the signal ends it. Nothing is left out: a page that could not be read is asked for again from where
 * the last one ended, and a feed that does not know that place any more begins anew and says so.
 */
export async function followChanges({ read, pause, publish, tell }: Following, signal: AbortSignal): Promise<void> {
  let after: number | 'latest' = 'latest';
  let lostPlace = false;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const { data, page } = await read(after, signal);
      if (signal.aborted) return;
      tell(true);
      const gap = lostPlace || (after !== 'latest' && page.gap);
      if (data.length > 0 || gap) publish({ changes: data, gap });
      after = page.next_after;
      lostPlace = false;
      failures = 0;
      if (page.has_more) continue;
      await pause(everyMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ProblemError && error.status === 400 && after !== 'latest') {
        after = 'latest';
        lostPlace = true;
        continue;
      }
      failures += 1;
      tell(false);
      const asked = error instanceof ProblemError && error.retryAfterS !== null ? error.retryAfterS * 1000 : 0;
      await pause(Math.max(asked, Math.min(mostMs, everyMs * 2 ** failures)), signal);
    }
  }
}

const listeners = new Set<(news: News) => void>();

/** Tells of everything that changes while the dashboard is open. The answer ends it. */
export function onNews(listener: (news: News) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function publishNews(news: News): void {
  for (const listener of listeners) listener(news);
}

/** When the feed was read last, ms; 0 before the first time. `isAnswered`: so was the last page that was asked for. */
export type FeedState = { readAt: number; isAnswered: boolean };

let feedState: FeedState = { readAt: 0, isAnswered: true };
const watchers = new Set<() => void>();

export function tellFeedState(isAnswered: boolean): void {
  feedState = { readAt: isAnswered ? Date.now() : feedState.readAt, isAnswered };
  for (const watcher of watchers) watcher();
}

export function readFeedState(): FeedState {
  return feedState;
}

export function watchFeedState(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
