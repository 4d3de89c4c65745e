import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followChanges, onNews, publishNews } from '../api/change-feed.ts';
import { listChanges } from '../api/landfall-client.ts';
import { answerOf } from '../api/request.ts';

const pageSize = 100;

/** One follower of the feed for all pages; it rests while nobody looks, and looks at once when somebody does. */
export function useChangeFeed(): void {
  const client = useQueryClient();
  useEffect(() => {
    const ending = new AbortController();
    const read = (after: number | 'latest', signal: AbortSignal) => answerOf(listChanges({ after, limit: pageSize }, { signal }));
    followChanges({ read, pause, publish: publishNews }, ending.signal);
    const stop = onNews(({ changes }) => {
      client.invalidateQueries({ queryKey: ['overview'] });
      client.invalidateQueries({ queryKey: ['counts'] });
      for (const id of new Set(changes.map(({ data }) => data.shipment.shipment_id)))
        client.invalidateQueries({ queryKey: ['shipment', id] });
    });
    return () => {
      ending.abort();
      stop();
    };
  }, [client]);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState === 'visible') finish();
    };
    const timer = setTimeout(look, ms);
    const finish = () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('online', look);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    window.addEventListener('online', look);
    signal.addEventListener('abort', finish);
  });
}
