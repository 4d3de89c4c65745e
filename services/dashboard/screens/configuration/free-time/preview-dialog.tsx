import { Link } from '@tanstack/react-router';
import { groupIdentifier } from '#shared/domain/words/group-identifier.ts';
import { Button } from '../../../parts/button.tsx';
import { PanelDialog } from '../../../parts/dialogs/panel-dialog.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { FreeTimeMark } from '../../../parts/status-icons.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { kindWord, stateWord } from '../../../parts/words/free-time-words.ts';
import { numberLocale } from '../../../parts/words/locale.ts';
import {
  differenceWords,
  previewClockText,
  previewSummary,
  stateCounts,
  type WirePreview,
  type WirePreviewChange,
} from './preview-words.ts';

type Props = { preview: WirePreview; close: () => void; save: () => void; mayNotSave: boolean };

/** Shows the effect of unsaved terms on free-time clocks before they are saved. */
export function PreviewDialog({ preview, close, save, mayNotSave }: Props) {
  const now = useNow();
  const counts = stateCounts(preview);
  const { changes, changed } = preview;
  return (
    <PanelDialog
      title="Preview the effect"
      width="w-[640px]"
      close={close}
      footer={
        <>
          <Button onClick={close}>Keep editing</Button>
          <Button kind="primary" disabled={mayNotSave} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <p className="mb-4 text-t2">{previewSummary(preview)} Nothing is saved yet.</p>
      {counts.length > 0 && (
        <section aria-labelledby="preview-states" className="mb-5">
          <h3 id="preview-states" className="mb-1 font-semibold text-body">
            Clocks by state
          </h3>
          <Table
            inset
            caption="Clocks by state, now and with these terms"
            columns={stateColumns}
            rows={counts}
            rowKey={({ state }) => state}
            rowClassName={() => 'h-7'}
          />
        </section>
      )}
      {changes.length > 0 && (
        <section aria-labelledby="preview-changes">
          <h3 id="preview-changes" className="mb-1 font-semibold text-body">
            Containers that change
          </h3>
          <ul className="border-line border-t">
            {changes.map((change) => (
              <ChangeLine key={`${change.shipment_id} ${change.container} ${change.kind}`} change={change} now={now} />
            ))}
          </ul>
          {changed > changes.length && (
            <p className="mt-2 text-label text-t3">
              The first {changes.length} changes are listed. In all, {changed.toLocaleString(numberLocale())} containers
              change.
            </p>
          )}
        </section>
      )}
    </PanelDialog>
  );
}

type Count = ReturnType<typeof stateCounts>[number];

const stateColumns: readonly Column<Count>[] = [
  {
    key: 'state',
    name: 'State',
    isRowHeader: true,
    cell: ({ state }) => (
      <span className="flex items-center gap-1.5">
        <FreeTimeMark state={state} size={13} />
        {stateWord(state)}
      </span>
    ),
  },
  {
    key: 'before',
    name: 'Now',
    className: 'w-16 text-right',
    cell: ({ before }) => before.toLocaleString(numberLocale()),
  },
  {
    key: 'after',
    name: 'With these terms',
    className: 'w-28 text-right',
    cellClassName: 'font-medium',
    cell: ({ after }) => after.toLocaleString(numberLocale()),
  },
  {
    key: 'difference',
    name: 'Change',
    className: 'w-20 text-right',
    cell: ({ before, after }) => differenceWords(before, after),
  },
];

function ChangeLine({ change, now }: { change: WirePreviewChange; now: number }) {
  const { shipment_id: shipmentId, container, kind, before, after } = change;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)] gap-x-3 border-line border-b py-1.5 text-label max-sm:grid-cols-1">
      <span className="flex min-w-0 flex-col">
        <Link
          to="/shipments/$shipmentId"
          params={{ shipmentId }}
          target="_blank"
          className="w-fit font-mono text-number hover:underline"
        >
          {groupIdentifier('container', container)}
        </Link>
        <span className="text-t3">{kindWord(kind)}</span>
      </span>
      <span className="flex min-w-0 flex-col">
        <span className="text-t3">
          <span className="sr-only">Now: </span>
          {previewClockText(before, now)}
        </span>
        <span className="flex items-center gap-1.5">
          <span className="sr-only">With these terms: </span>
          {after !== null && <FreeTimeMark state={after.state} size={13} />}
          {previewClockText(after, now)}
        </span>
      </span>
    </li>
  );
}
