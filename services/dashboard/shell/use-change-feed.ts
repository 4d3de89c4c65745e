import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../api/call.ts';
import { followChanges, isOfShipment, onChanges, publishChanges } from '../api/change-feed.ts';
import { setFeedState } from '../api/feed-state.ts';

const pageSize = 100;
const countsDelayMs = 1000;

/**
 * Follows the feed for all pages. It pauses while the page is hidden, and reads immediately when it becomes visible.
 */
export function useChangeFeed(): void {
  const client = useQueryClient();
  useEffect(() => {
    const controller = new AbortController();
    const read = (after: number | 'latest', signal: AbortSignal) =>
      call('listChanges', { query: { after, limit: pageSize } }, { signal });
    followChanges({ read, pause, publish: publishChanges, reportRead: setFeedState }, controller.signal);
    let counting: ReturnType<typeof setTimeout> | null = null;
    // One refetch for several pages of changes: each would cancel the counts of the previous one.
    const countSoon = () => {
      counting ??= setTimeout(() => {
        counting = null;
        client.invalidateQueries({ queryKey: ['overview'] });
        client.invalidateQueries({ queryKey: ['counts'] });
      }, countsDelayMs);
    };
    const stop = onChanges(({ changes }) => {
      countSoon();
      for (const id of new Set(changes.filter(isOfShipment).map(({ data }) => data.shipment.shipment_id)))
        client.invalidateQueries({ queryKey: ['shipment', id] });
    });
    return () => {
      controller.abort();
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
