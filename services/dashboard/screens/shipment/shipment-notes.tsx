import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Shipment, updateShipment } from '../../api/landfall-client.ts';
import { queryClient } from '../../api/query-client.ts';
import { answerOf } from '../../api/request.ts';
import { Button } from '../../parts/button.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { momentWords } from '../../parts/time-words.ts';
import { useNow } from '../../parts/use-now.ts';
import { useAccount } from '../session/use-session.ts';

/** What has to be known before anything on the page is read: archived, a test, no longer renewed. */
export function ShipmentNotes({ shipment, error }: { shipment: Shipment; error: Error | null }) {
  const now = useNow();
  const { role } = useAccount();
  const restore = useMutation({
    mutationFn: () =>
      answerOf(updateShipment({ shipmentId: shipment.shipment_id, updateShipmentBody: { archived: false } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['shipment', shipment.shipment_id] }),
  });
  return (
    <>
      {error !== null && <Strip>This page is not renewed: {error.message}</Strip>}
      {shipment.test && <Strip>A test shipment: its journey is played, nothing of it happens in the world.</Strip>}
      {shipment.archived_at !== null && (
        <Strip>
          <span>
            Archived on {momentWords(shipment.archived_at, { now })}: out of the lists, and nobody is asked any more.
          </span>
          {role !== 'viewer' && (
            <Button className="ml-auto" busy={restore.isPending} onClick={() => restore.mutate()}>
              Restore
            </Button>
          )}
        </Strip>
      )}
      {restore.error !== null && <ProblemNote error={restore.error} className="border-line border-b px-4 py-2" />}
    </>
  );
}

function Strip({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3 border-line border-b bg-sunk px-4 py-1 text-body text-t2">
      {children}
    </div>
  );
}
