import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import { call } from '../../../api/call.ts';
import { ProblemError } from '../../../api/problem-error.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { momentWords } from '../../../parts/time-words.ts';
import { useNow } from '../../../parts/use-now.ts';
import { useAccount } from '../../session/use-session.ts';
import { whyNotRefreshed } from './verb-permission.ts';

/** A look asked for here may be asked for again after this (ms); the service says the same. */
const pauseMs = 10 * 60_000;

/** Has the carrier asked now, says when that is done, and when it can be asked again. */
export function RequestRefresh({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const isViewer = useAccount().role === 'viewer';
  const attempted = shipment.tracking?.last_refreshed_at ?? null;
  const [asked, setAsked] = useState<{ atMs: number; after: string | null } | null>(null);
  const [againMs, setAgainMs] = useState(0);
  const refresh = useMutation({
    mutationFn: () => call('refreshShipment', { params: { shipment_id: shipment.shipment_id } }),
    onSuccess: () => {
      setAsked({ atMs: Date.now(), after: attempted });
      setAgainMs(Date.now() + pauseMs);
      queryClient.invalidateQueries({ queryKey: ['shipment', shipment.shipment_id] });
    },
    onError: (error) => {
      if (error instanceof ProblemError && error.retryAfterS !== null)
        setAgainMs(Date.now() + error.retryAfterS * 1000);
    },
  });
  const isUnderWay = asked !== null && asked.after === attempted;
  const isDone = asked !== null && asked.after !== attempted;
  useEffect(() => {
    if (isDone) refresh.reset();
  }, [isDone, refresh.reset]);
  const reason = whyNotRefreshed(shipment, isViewer);
  const waits = againMs > Math.max(now, Date.now());
  const again = momentWords(new Date(againMs).toISOString(), { now }).slice(-5);
  const told = toldOf({ isUnderWay, isDone, waits, again, carrier: shipment.carrier_name, error: refresh.error });
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span role="status" className="truncate text-label text-t2 max-lg:sr-only">
        {told}
      </span>
      <Button
        busy={refresh.isPending || isUnderWay}
        disabled={reason !== null || waits}
        title={reason ?? (waits ? `Once in ten minutes: again at ${again}` : `Has ${shipment.carrier_name} asked now`)}
        onClick={() => refresh.mutate()}
      >
        <Icon name="refresh" size={14} className={isUnderWay ? 'animate-spin' : ''} />
        {isUnderWay ? 'FetchOrder…' : 'Refresh now'}
      </Button>
    </span>
  );
}

type Told = {
  isUnderWay: boolean;
  isDone: boolean;
  waits: boolean;
  again: string;
  carrier: string;
  error: Error | null;
};

function toldOf({ isUnderWay, isDone, waits, again, carrier, error }: Told): string {
  if (isUnderWay) return `${carrier} is being asked; what it says appears here`;
  if (error !== null) return waits ? `Asked a moment ago; again at ${again}` : error.message;
  if (isDone) return waits ? `${carrier} was asked; again at ${again}` : `${carrier} was asked`;
  return '';
}
