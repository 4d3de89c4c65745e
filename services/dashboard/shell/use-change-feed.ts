import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, send } from '../api/call.ts';
import { followChanges, isOfShipment, onChanges, publishChanges } from '../api/change-feed.ts';
import { followStream, type StreamPart } from '../api/change-stream.ts';
import { setFeedState } from '../api/feed-state.ts';
import { leaveWhenSignedOut } from '../screens/session/sign-out.ts';

const pageSize = 100;
const countsDelayMs = 1000;

/**
 * Follows the feed for all pages. It pauses while the page is hidden, because browsers open few connections to a host over
 * HTTP/1.1 for all tabs, and continues immediately when it becomes visible.
 */
export function useChangeFeed(): void {
  const client = useQueryClient();
  useEffect(() => {
    const controller = new AbortController();
    let wasConnected = true;
    const report = (isConnected: boolean) => {
      setFeedState(isConnected);
      if (isConnected && !wasConnected) void client.refetchQueries({ type: 'active', predicate: hasFailed });
      wasConnected = isConnected;
    };
    const read = (after: number | 'latest', signal: AbortSignal) =>
      call('listChanges', { query: { after, limit: pageSize } }, { signal }).catch(leaveOrThrow);
    followChanges(
      { read, stream, pause, publish: publishChanges, reportRead: report, now: Date.now },
      controller.signal,
    );
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

/**
 * True for a failed query that waits for Retry. Lists that are read page by page keep theirs: a refetch would read
 * every page again.
 */
function hasFailed({ state }: Query): boolean {
  const isPaged = typeof state.data === 'object' && state.data !== null && 'pages' in state.data;
  return state.status === 'error' && !isPaged;
}

/** The server ends the stream with the session. The next request finds out, before any query of the page does. */
function leaveOrThrow(error: unknown): never {
  leaveWhenSignedOut(error);
  throw error;
}

/** Ends while the page is hidden; the pause after it lasts until the page is visible. */
async function stream(after: number, onPart: (part: StreamPart) => void, signal: AbortSignal) {
  const hidden = new AbortController();
  const endIfHidden = () => {
    if (document.visibilityState !== 'visible') hidden.abort();
  };
  document.addEventListener('visibilitychange', endIfHidden);
  try {
    return await followStream(
      (ending) => send('streamChanges', { query: { after } }, { signal: ending }),
      onPart,
      AbortSignal.any([signal, hidden.signal]),
    ).catch(leaveOrThrow);
  } finally {
    document.removeEventListener('visibilitychange', endIfHidden);
  }
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
