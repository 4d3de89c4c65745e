import { useEffect, useState, useSyncExternalStore } from 'react';
import { type PageFreshness, pageFreshness, readFeedState, watchFeedState } from '../api/feed-state.ts';
import { clockWords, zoneWords } from '../parts/time-words.ts';

const tickMs = 1000;

const words: Record<Exclude<PageFreshness, 'unread'>, string> = {
  current: 'Up to date',
  late: 'Not updated since',
  unreachable: 'Landfall is unreachable since',
  offline: 'Offline since',
};

const dots: Record<Exclude<PageFreshness, 'unread'>, string> = {
  current: 'bg-green',
  late: 'bg-amber',
  unreachable: 'bg-red',
  offline: 'bg-red',
};

/** Shows the freshness of the page. On a phone it is shown only for old data. */
export function UpToDate({ isStrip = false }: { isStrip?: boolean }) {
  const state = useSyncExternalStore(watchFeedState, readFeedState);
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const freshness = pageFreshness(state, useSeconds(), isOnline);
  const isCurrent = freshness === 'current';
  if (freshness === 'unread' || (isStrip && isCurrent)) return null;
  const at = new Date(state.readAt).toISOString();
  const since = state.readAt === 0 ? '' : `${clockWords(at, { seconds: true })} ${zoneWords(at)}`;
  return (
    <p
      role="status"
      aria-live={isCurrent ? 'off' : 'polite'}
      className={`items-center gap-2 whitespace-nowrap text-label tabular-nums ${isCurrent ? 'text-t2' : 'text-t1'} ${isStrip ? 'hidden bg-sunk px-4 py-1 max-sm:flex print:hidden' : 'flex'}`}
    >
      <span aria-hidden="true" className={`size-1.5 rounded-full ${dots[freshness]}`} />
      {since === '' ? words[freshness].replace(/ since$/, '') : `${words[freshness]} ${since}`}
      {!isCurrent && <span className="text-t2">· retrying</span>}
    </p>
  );
}

/** The time, every second: the age of the last answer grows while nothing happens. */
function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return Math.max(now, readFeedState().readAt);
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
