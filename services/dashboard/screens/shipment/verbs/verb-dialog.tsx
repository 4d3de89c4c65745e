import { useMutation } from '@tanstack/react-query';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { isPushed } from '../words/pushed-words.ts';

export type Verb = 'archive' | 'restore' | 'stop' | 'resume' | 'cancel';

type Texts = { title: string; text: (carrier: string) => string; action: string; kind: 'primary' | 'danger' };

const texts: Record<Verb, Texts> = {
  archive: {
    title: 'Archive this shipment?',
    text: (carrier) =>
      `Removes the shipment from lists and counts, and stops polling ${carrier}. You can still read and restore it. ` +
      'Its numbers can be registered again. Its reference stays reserved.',
    action: 'Archive',
    kind: 'danger',
  },
  restore: {
    title: 'Restore this shipment?',
    text: (carrier) => `Returns the shipment to the lists and polls ${carrier} again.`,
    action: 'Restore',
    kind: 'primary',
  },
  stop: {
    title: 'Stop tracking?',
    text: (carrier) => `Stops polling ${carrier}. The record stays, and you can resume tracking at any time.`,
    action: 'Stop tracking',
    kind: 'danger',
  },
  resume: {
    title: 'Resume tracking?',
    text: (carrier) => `Polls ${carrier} now and then on schedule. Reverts a cancellation that you set.`,
    action: 'Resume tracking',
    kind: 'primary',
  },
  cancel: {
    title: 'Mark as cancelled?',
    text: (carrier) =>
      `Sets the status to Cancelled and stops polling ${carrier}. This does not cancel the booking at ${carrier}. ` +
      'Resuming tracking reverts it.',
    action: 'Mark as cancelled',
    kind: 'danger',
  },
};

/** The same of a shipment that nobody polls. */
const pushedTexts: Record<Verb, Texts['text']> = {
  archive: () =>
    'Removes the shipment from lists and counts, and accepts no further events. You can still read and restore it. ' +
    'Its numbers can be registered again. Its reference stays reserved.',
  restore: () => 'Returns the shipment to the lists and accepts pushed events again.',
  stop: () =>
    'The shipment no longer becomes stale without events. The record stays, and you can resume tracking at any time.',
  resume: () => 'Expects pushed events again. Reverts a cancellation that you set.',
  cancel: (carrier) =>
    `Sets the status to Cancelled. This does not cancel the booking at ${carrier}. Resuming tracking reverts it.`,
};

/** Confirms a verb of the shipment. */
export function VerbDialog({ verb, shipment, close }: { verb: Verb; shipment: WireShipment; close: () => void }) {
  const { title, text, action, kind } = texts[verb];
  const run = useMutation({
    mutationFn: () => apply(verb, { shipment_id: shipment.shipment_id }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['shipment', shipment.shipment_id] });
      close();
    },
  });
  return (
    <ConfirmDialog
      title={title}
      action={action}
      kind={kind}
      busy={run.isPending}
      error={run.error}
      onConfirm={() => run.mutate()}
      onClose={close}
    >
      {(isPushed(shipment) ? pushedTexts[verb] : text)(shipment.carrier_name)}
    </ConfirmDialog>
  );
}

function apply(verb: Verb, params: { shipment_id: string }): Promise<unknown> {
  switch (verb) {
    case 'archive':
      return call('archiveShipment', { params });
    case 'restore':
      return call('updateShipment', { params, body: { archived: false } });
    case 'stop':
      return call('stopShipment', { params });
    case 'resume':
      return call('resumeShipment', { params });
    case 'cancel':
      return call('cancelShipment', { params });
  }
}
