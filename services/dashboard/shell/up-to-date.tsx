import { useSyncExternalStore } from 'react';
import { readFeedState, watchFeedState } from '../api/change-feed.ts';
import { momentWords, zoneWords } from '../parts/time-words.ts';

/** Whether what the page shows is what the service knows, and since when. On a phone only where it is not. */
export function UpToDate({ isStrip = false }: { isStrip?: boolean }) {
  const { readAt, isAnswered } = useSyncExternalStore(watchFeedState, readFeedState);
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const isCurrent = isOnline && isAnswered;
  if ((readAt === 0 || isStrip) && isCurrent) return null;
  const at = new Date(readAt).toISOString();
  const since = readAt === 0 ? '' : `${momentWords(at, { seconds: true }).split(' ').at(-1)} ${zoneWords(at)}`;
  const words = isCurrent ? 'Up to date' : `${isOnline ? 'No answer' : 'Offline'}${since === '' ? '' : ' since'}`;
  return (
    <p
      role="status"
      aria-live={isCurrent ? 'off' : 'polite'}
      className={`items-center gap-2 whitespace-nowrap text-label tabular-nums ${isCurrent ? 'text-t2' : 'text-t1'} ${isStrip ? 'hidden bg-sunk px-4 py-1 max-sm:flex print:hidden' : 'flex'}`}
    >
      <span aria-hidden="true" className={`size-1.5 rounded-full ${isCurrent ? 'bg-green' : 'bg-red'}`} />
      {words} {since}
      {!isCurrent && <span className="text-t2">· trying again</span>}
    </p>
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
