import { useSyncExternalStore } from 'react';
import { dataTime, readFeedState, watchFeedState } from '../../api/feed-state.ts';

const tickMs = 30_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * The time to compare shown data with, shared by the whole page and updated every 30 s: the current time, or that of
 * the last answer while Landfall does not answer.
 */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => dataTime(readFeedState(), now));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, tickMs);
  const unwatch = watchFeedState(listener);
  return () => {
    unwatch();
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}
