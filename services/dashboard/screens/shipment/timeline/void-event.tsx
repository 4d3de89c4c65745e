import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { pushedBy } from '../../../parts/words/source-words.ts';
import { useAccount } from '../../session/use-session.ts';
import { eventWords } from './event-words.ts';

/** Retracts an event that a source pushed. Events of carriers can't be retracted. */
export function VoidEvent({ event, shipment }: { event: WireEvent; shipment: WireShipment }) {
  const [isAsking, setAsking] = useState(false);
  const { role } = useAccount();
  const { shipment_id: shipmentId } = shipment;
  const voiding = useMutation({
    mutationFn: () => call('voidEvent', { params: { shipment_id: shipmentId, event_id: event.event_id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['shipment', shipmentId] });
      setAsking(false);
    },
  });
  const pusher = pushedBy(event.source);
  if (pusher === null || role === 'viewer' || shipment.as_of !== null || event.flags.includes('voided')) return null;
  return (
    <>
      <Button className="mt-3 print:hidden" onClick={() => setAsking(true)}>
        Void this event
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Void this event?"
          action="Void"
          busy={voiding.isPending}
          error={voiding.error}
          onConfirm={() => voiding.mutate()}
          onClose={() => {
            voiding.reset();
            setAsking(false);
          }}
        >
          “{eventWords(event)}”, pushed by {pusher}, no longer counts. Status, free time and exceptions are computed
          without it. It stays in the history, and the same event sent again stays void.
        </ConfirmDialog>
      )}
    </>
  );
}
