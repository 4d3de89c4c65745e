import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { call } from '../../../api/call.ts';
import { Button } from '../../../parts/button.tsx';
import { PanelDialog } from '../../../parts/dialogs/panel-dialog.tsx';
import { CheckboxLine } from '../../../parts/inputs/checkbox.tsx';
import { ChoiceCards } from '../../../parts/inputs/choice-cards.tsx';
import { TextField } from '../../../parts/inputs/text-field.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { reloadEndpoints } from '../webhook-queries.ts';
import { type ReplayDraft, replayBodyOf } from './replay-draft.ts';

const ranges = [
  { value: 'time', name: 'By time', explains: 'From and to in your time zone.' },
  { value: 'position', name: 'By position', explains: 'Positions of the change feed.' },
] as const;

/** Sends a range of changes again. */
export function ReplayPanel({ endpoint, close }: { endpoint: WireWebhookEndpoint; close: () => void }) {
  const [draft, setDraft] = useState<ReplayDraft>({ by: 'time', from: '', to: '', failedOnly: true });
  const starting = useMutation({
    mutationFn: () =>
      call('replayWebhookEndpoint', {
        params: { webhook_endpoint_id: endpoint.webhook_endpoint_id },
        body: replayBodyOf(draft),
      }),
    onSuccess: async () => {
      await reloadEndpoints();
      close();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    starting.mutate();
  };
  const type = draft.by === 'time' ? { type: 'datetime-local', step: 1 } : { type: 'number', min: 0 };
  return (
    <PanelDialog
      title="Replay"
      close={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" form="replay" busy={starting.isPending}>
            {starting.isPending ? 'Starting' : 'Start replay'}
          </Button>
        </>
      }
    >
      <form id="replay" onSubmit={submit} className="flex flex-col gap-6">
        <p className="text-t2">
          Sends changes again that match the endpoint’s types and filter, with their original ids, so that a receiver
          can drop repeated ones. Changes are kept for 30 days.
        </p>
        <ChoiceCards
          label="Range"
          value={draft.by}
          choices={ranges}
          choose={(by) => setDraft({ ...draft, by, from: '', to: '' })}
        />
        <div className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
          <TextField
            key={`${draft.by} from`}
            {...type}
            label="From (optional)"
            hint="Empty: the oldest change."
            value={draft.from}
            onChange={({ target }) => setDraft({ ...draft, from: target.value })}
          />
          <TextField
            key={`${draft.by} to`}
            {...type}
            label="To (optional)"
            hint="Empty: the latest change."
            value={draft.to}
            onChange={({ target }) => setDraft({ ...draft, to: target.value })}
          />
        </div>
        <CheckboxLine
          checked={draft.failedOnly}
          onChecked={(failedOnly) => setDraft({ ...draft, failedOnly })}
          hint="Without it, delivered changes are sent again too."
        >
          Only undelivered changes
        </CheckboxLine>
        {starting.isError && <ProblemNote error={starting.error} />}
      </form>
    </PanelDialog>
  );
}
