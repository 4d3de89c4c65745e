import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { call } from '../../../api/call.ts';
import { ProblemError } from '../../../api/problem-error.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { flash } from '../../../parts/flash-note.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { useScreenKeys } from '../../../parts/hooks/use-screen-keys.ts';
import { Icon } from '../../../parts/icon.tsx';
import { clockWords } from '../../../parts/time-words.ts';
import { useAccount } from '../../session/use-session.ts';
import { refreshLock } from './verb-permission.ts';

/** Minimum interval between requested refreshes, as in the API. */
const minIntervalMs = 10 * 60_000;

/** Requests a refresh, reports when it is done, and when the next one is allowed. */
export function RequestRefresh({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const isViewer = useAccount().role === 'viewer';
  const lastRefreshAt = shipment.tracking?.last_refreshed_at ?? null;
  const [requested, setRequested] = useState<{ atMs: number; after: string | null } | null>(null);
  const [againMs, setAgainMs] = useState(0);
  const refresh = useMutation({
    mutationFn: () => call('refreshShipment', { params: { shipment_id: shipment.shipment_id } }),
    onSuccess: () => {
      setRequested({ atMs: Date.now(), after: lastRefreshAt });
      setAgainMs(Date.now() + minIntervalMs);
      queryClient.invalidateQueries({ queryKey: ['shipment', shipment.shipment_id] });
    },
    onError: (error) => {
      if (error instanceof ProblemError && error.retryAfterS !== null)
        setAgainMs(Date.now() + error.retryAfterS * 1000);
    },
  });
  const isUnderWay = requested !== null && requested.after === lastRefreshAt;
  const isDone = requested !== null && requested.after !== lastRefreshAt;
  useEffect(() => {
    if (isDone) refresh.reset();
  }, [isDone, refresh.reset]);
  const reason = refreshLock(shipment, isViewer);
  const waits = againMs > Math.max(now, Date.now());
  const again = clockWords(new Date(againMs).toISOString());
  const waitText = `Limit: one refresh in 10 minutes. Next at ${again}.`;
  const isFree = reason === null && !waits && !refresh.isPending && !isUnderWay;
  useScreenKeys({
    r: () => (isFree ? refresh.mutate() : flash(reason ?? (waits ? waitText : 'A refresh is running.'))),
  });
  const text = statusText({ isUnderWay, isDone, waits, again, carrier: shipment.carrier_name, error: refresh.error });
  return (
    <span className="flex min-w-0 items-center gap-2 max-sm:shrink-0">
      <span role="status" className="truncate text-label text-t2 max-lg:sr-only">
        {text}
      </span>
      <Button
        busy={refresh.isPending || isUnderWay}
        disabled={reason !== null || waits}
        title={reason ?? (waits ? waitText : `Poll ${shipment.carrier_name} now`)}
        aria-keyshortcuts="r"
        onClick={() => refresh.mutate()}
      >
        <Icon name="refresh" size={14} className={isUnderWay ? 'animate-spin' : ''} />
        {isUnderWay ? 'Refreshing…' : 'Refresh now'}
      </Button>
    </span>
  );
}

type Status = {
  isUnderWay: boolean;
  isDone: boolean;
  waits: boolean;
  again: string;
  carrier: string;
  error: Error | null;
};

function statusText({ isUnderWay, isDone, waits, again, carrier, error }: Status): string {
  if (isUnderWay) return `Polling ${carrier}`;
  if (error !== null) return waits ? `Refreshed recently. Next at ${again}.` : error.message;
  if (isDone) return waits ? `Refreshed. Next at ${again}.` : 'Refreshed';
  return '';
}
