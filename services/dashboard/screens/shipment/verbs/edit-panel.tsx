import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { splitTags } from '#shared/contract/lists/tag-cell.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { maxReferences } from '#shared/domain/record/references.ts';
import { call } from '../../../api/call.ts';
import { ProblemError } from '../../../api/problem-error.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button, IconButton } from '../../../parts/button.tsx';
import { PanelDialog } from '../../../parts/dialogs/panel-dialog.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { TextField } from '../../../parts/inputs/text-field.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { changesOf, draftOf, tagsOf } from './edit-changes.ts';

type Props = {
  shipment: WireShipment;
  /** Field that gets the focus. */
  startsWith?: 'all' | 'tags';
  close: () => void;
};

/** Edits the references, tags and metadata. */
export function EditPanel({ shipment, startsWith = 'all', close }: Props) {
  const [draft, setDraft] = useState(() => draftOf(shipment));
  const changes = changesOf(draft, shipment);
  const isChanged = Object.keys(changes).length > 0;
  const save = useMutation({
    mutationFn: () => call('updateShipment', { params: { shipment_id: shipment.shipment_id }, body: changes as never }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['shipment', shipment.shipment_id] });
      close();
    },
  });
  const problem = save.error instanceof ProblemError ? save.error : null;
  const errorIn = (pointer: string) => problem?.errors.find((one) => one.pointer?.startsWith(pointer))?.detail ?? null;
  const setPair = (index: number, pair: { key: string; value: string }) =>
    setDraft({ ...draft, metadata: draft.metadata.map((one, at) => (at === index ? pair : one)) });
  return (
    <PanelDialog
      title="Edit"
      close={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" form="edit-shipment" type="submit" disabled={!isChanged} busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id="edit-shipment"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) save.mutate();
        }}
      >
        <TextField
          label="Reference"
          hint="Your own ID, unique in the account."
          maxLength={255}
          value={draft.reference}
          error={problem?.code === 'reference_conflict' ? problem.message : errorIn('/reference')}
          onChange={(event) => setDraft({ ...draft, reference: event.target.value })}
        />
        <TextField
          label="Other references"
          hint={`${splitTags(draft.others).length} of up to ${maxReferences - 1} more, separated by |`}
          value={draft.others}
          error={errorIn('/references')}
          onChange={(event) => setDraft({ ...draft, others: event.target.value })}
        />
        <TextField
          label="Tags"
          autoFocus={startsWith === 'tags'}
          hint={`${tagsOf(draft.tags).length} of up to 20 tags, separated by commas`}
          value={draft.tags}
          error={errorIn('/tags')}
          onChange={(event) => setDraft({ ...draft, tags: event.target.value })}
        />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-label text-t2">Metadata</legend>
          {draft.metadata.map(({ key, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pairs are identified by their position while their name is edited
            <div key={index} className="flex items-end gap-2">
              <TextField
                label={`Name ${index + 1}`}
                value={key}
                className="w-36 shrink-0"
                onChange={(event) => setPair(index, { key: event.target.value, value })}
              />
              <TextField
                label={`Value ${index + 1}`}
                value={value}
                className="min-w-0 flex-1"
                dir="auto"
                onChange={(event) => setPair(index, { key, value: event.target.value })}
              />
              <IconButton
                icon="close"
                label={`Remove ${key || 'this pair'}`}
                className="mb-0.5"
                onClick={() => setDraft({ ...draft, metadata: draft.metadata.filter((_, at) => at !== index) })}
              />
            </div>
          ))}
          {errorIn('/metadata') !== null && (
            <p role="alert" className="text-label text-red">
              {errorIn('/metadata')}
            </p>
          )}
          <Button
            className="self-start"
            disabled={draft.metadata.length >= 20}
            onClick={() => setDraft({ ...draft, metadata: [...draft.metadata, { key: '', value: '' }] })}
          >
            <Icon name="plus" size={14} /> Add
          </Button>
        </fieldset>
        {save.error !== null && <ProblemNote error={save.error} />}
      </form>
    </PanelDialog>
  );
}
