import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useMutation } from '@tanstack/react-query';
import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';

export type Verb = 'archive' | 'restore' | 'stop' | 'resume' | 'cancel';

type Words = { title: string; text: (carrier: string) => string; button: string; kind: 'primary' | 'danger' };

const words: Record<Verb, Words> = {
  archive: {
    title: 'Archive this shipment?',
    text: (carrier) =>
      `It leaves the lists and counts, and ${carrier} is asked no more. It can still be read and restored; its numbers can be registered again, its reference stays taken.`,
    button: 'Archive',
    kind: 'danger',
  },
  restore: {
    title: 'Restore this shipment?',
    text: (carrier) => `It comes back into the lists, and ${carrier} is asked again.`,
    button: 'Restore',
    kind: 'primary',
  },
  stop: {
    title: 'Stop tracking?',
    text: (carrier) => `${carrier} is asked no more. What is known stays, and you can resume at any time.`,
    button: 'Stop tracking',
    kind: 'danger',
  },
  resume: {
    title: 'Resume tracking?',
    text: (carrier) =>
      `${carrier} is asked at once and from then on as planned. A cancellation of yours is taken back.`,
    button: 'Resume tracking',
    kind: 'primary',
  },
  cancel: {
    title: 'Mark as cancelled?',
    text: (carrier) =>
      `The status becomes Cancelled, by your word, and ${carrier} is asked no more. ${carrier} is not told: cancel the booking there yourself. Resuming takes this back.`,
    button: 'Mark as cancelled',
    kind: 'danger',
  },
};

/** Says what a step does before it is done. */
export function VerbDialog({ verb, shipment, close }: { verb: Verb; shipment: WireShipment; close: () => void }) {
  const { title, text, button, kind } = words[verb];
  const shipmentId = shipment.shipment_id;
  const step = useMutation({
    mutationFn: async () => {
      if (verb === 'archive') await call('archiveShipment', { params: { shipment_id: shipmentId } });
      else if (verb === 'restore')
        await call('updateShipment', { params: { shipment_id: shipmentId }, body: { archived: false } });
      else if (verb === 'stop') await call('stopShipment', { params: { shipment_id: shipmentId } });
      else if (verb === 'resume') await call('resumeShipment', { params: { shipment_id: shipmentId } });
      else await call('cancelShipment', { params: { shipment_id: shipmentId } });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['shipment', shipmentId] });
      close();
    },
  });
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <AlertDialog.Popup className="fixed inset-x-4 top-[20vh] z-50 mx-auto max-w-md rounded-control border border-line2 bg-bg p-5 outline-none">
          <AlertDialog.Title className="font-semibold text-title tracking-[-0.01em]">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-body text-t2">
            {text(shipment.carrier_name)}
          </AlertDialog.Description>
          {step.error !== null && <ProblemNote error={step.error} className="mt-3" />}
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Close render={<Button>Leave it</Button>} />
            <Button kind={kind} busy={step.isPending} onClick={() => step.mutate()}>
              {button}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
