/**
 * `readAt`: time of the last successful read in ms, 0 before the first one. `isConnected`: the last request succeeded.
 */
export type FeedState = { readAt: number; isConnected: boolean };

/** The stream sends something every 15 s, so a page that has received nothing for this long is not up to date. */
export const maxSilenceMs = 20_000;

/**
 * Freshness of the page, by the age of the last successful answer. `late`: no answer for a while, but no failure
 * either: a request hangs, or the page was asleep. `unreachable`: the last request failed or timed out.
 */
export type PageFreshness = 'unread' | 'current' | 'late' | 'unreachable' | 'offline';

export function pageFreshness({ readAt, isConnected }: FeedState, now: number, isOnline: boolean): PageFreshness {
  if (!isOnline) return 'offline';
  if (!isConnected) return 'unreachable';
  if (readAt === 0) return 'unread';
  return now - readAt <= maxSilenceMs ? 'current' : 'late';
}

/**
 * The time that shown data may be compared with: while Landfall does not answer, it stops at the last answer. Otherwise
 * an outage of Landfall would look like the silence of carriers.
 */
export function dataTime(state: FeedState, now: number): number {
  const freshness = pageFreshness(state, now, true);
  return state.readAt === 0 || freshness === 'current' ? now : Math.min(now, state.readAt);
}

let feedState: FeedState = { readAt: 0, isConnected: true };
const watchers = new Set<() => void>();

export function setFeedState(isConnected: boolean): void {
  feedState = { readAt: isConnected ? Date.now() : feedState.readAt, isConnected };
  for (const watcher of watchers) watcher();
}

/** Sets when the shown data was read, in ms, where nothing follows the changes. Null: unknown, so the clock runs on. */
export function setReadAt(readAt: number | null): void {
  feedState = { readAt: readAt ?? 0, isConnected: true };
  for (const watcher of watchers) watcher();
}

export function readFeedState(): FeedState {
  return feedState;
}

export function watchFeedState(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
