import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../api/call.ts';
import { followChanges, onNews, publishNews, tellFeedState } from '../api/change-feed.ts';

const pageSize = 100;
const countsWaitMs = 1000;

/** One follower of the feed for all pages; it rests while nobody refreshes, and looks at once when somebody does. */
export function useChangeFeed(): void {
  const client = useQueryClient();
  useEffect(() => {
    const ending = new AbortController();
    const read = (after: number | 'latest', signal: AbortSignal) =>
      call('listChanges', { query: { after, limit: pageSize } }, { signal });
    followChanges({ read, pause, publish: publishNews, tell: tellFeedState }, ending.signal);
    let counting: ReturnType<typeof setTimeout> | null = null;
    // Together for all news of the moment: many pages of them would end each other's counts.
    const countSoon = () => {
      counting ??= setTimeout(() => {
        counting = null;
        client.invalidateQueries({ queryKey: ['overview'] });
        client.invalidateQueries({ queryKey: ['counts'] });
      }, countsWaitMs);
    };
    const stop = onNews(({ changes }) => {
      countSoon();
      for (const id of new Set(changes.map(({ data }) => data.shipment.shipment_id)))
        client.invalidateQueries({ queryKey: ['shipment', id] });
    });
    return () => {
      ending.abort();
      stop();
      if (counting !== null) clearTimeout(counting);
    };
  }, [client]);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      if (document.visibilityState === 'visible') finish();
    };
    const timer = setTimeout(wake, ms);
    const finish = () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wake);
      window.removeEventListener('online', wake);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    document.addEventListener('visibilitychange', wake);
    window.addEventListener('online', wake);
    signal.addEventListener('abort', finish);
  });
}
