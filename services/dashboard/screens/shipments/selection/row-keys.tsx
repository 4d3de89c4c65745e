import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { groupIdentifier } from '#shared/domain/words/group-identifier.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { copyAndFlash, flash } from '../../../parts/flash-note.tsx';
import { useScreenKeys } from '../../../parts/hooks/use-screen-keys.ts';
import { lazyPart } from '../../../parts/lazy-parts.tsx';
import { shipmentQuery } from '../../shipment/use-shipment.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import { ArchiveDialog } from './archive-dialog.tsx';
import type { BulkAction } from './use-bulk.ts';

const EditPanel = lazyPart(async () => (await import('../../shipment/verbs/edit-panel.tsx')).EditPanel);

type Props = {
  /** The selected rows, else the active one. */
  rows: readonly ShipmentRow[];
  canWrite: boolean;
  start: (action: BulkAction, rows: readonly ShipmentRow[]) => void;
  /** Opens the menu of tags for these rows. */
  tag: (rows: readonly ShipmentRow[]) => void;
};

/** The keys that act on the selection or on the active row, with what they open. */
export function RowKeys({ rows, canWrite, start, tag }: Props) {
  const [asked, setAsked] = useState<{ kind: 'archive' | 'restore'; rows: readonly ShipmentRow[] } | null>(null);
  const [editedId, setEditedId] = useState<string | null>(null);
  const [first] = rows;
  const act = (run: (row: ShipmentRow) => void) => () => {
    if (first === undefined) flash('Select a row first: J and K move.');
    else if (canWrite) run(first);
    else flash('You have view-only access to this account.');
  };
  const confirm = (kind: 'archive' | 'restore', asked: readonly ShipmentRow[]) => {
    setAsked(null);
    start({ kind }, asked);
  };
  useScreenKeys({
    r: act(() => start({ kind: 'refresh' }, rows)),
    t: act(() => tag(rows)),
    a: act(() => setAsked({ kind: rows.every((row) => row.isArchived) ? 'restore' : 'archive', rows })),
    e: act(({ id }) => (rows.length === 1 ? setEditedId(id) : flash('Edit works on one shipment at a time.'))),
    c: () => {
      if (first === undefined) return flash('Select a row first: J and K move.');
      const shown = groupIdentifier(first.number.kind, first.number.value);
      const done = rows.length === 1 ? `Copied ${shown}` : `Copied ${rows.length} numbers`;
      void copyAndFlash(rows.map(({ number }) => number.value).join('\n'), done);
    },
  });
  return (
    <>
      {asked?.kind === 'archive' && (
        <ArchiveDialog
          count={asked.rows.length}
          archive={() => confirm('archive', asked.rows)}
          close={() => setAsked(null)}
        />
      )}
      {asked?.kind === 'restore' && (
        <ConfirmDialog
          title={asked.rows.length === 1 ? 'Restore this shipment?' : `Restore ${asked.rows.length} shipments?`}
          action="Restore"
          kind="primary"
          onConfirm={() => confirm('restore', asked.rows)}
          onClose={() => setAsked(null)}
        >
          {asked.rows.length === 1
            ? 'Returns it to the lists and polls its carrier again.'
            : 'Returns them to the lists and polls their carriers again.'}
        </ConfirmDialog>
      )}
      {editedId !== null && <EditRow id={editedId} close={() => setEditedId(null)} />}
    </>
  );
}

/** A row has only a part of its record, so the record is read first. */
function EditRow({ id, close }: { id: string; close: () => void }) {
  const { data, error } = useQuery(shipmentQuery(id));
  if (error !== null && data === undefined) {
    return (
      <ConfirmDialog title="Edit" action="Close" kind="primary" error={error} onConfirm={close} onClose={close}>
        The shipment could not be read.
      </ConfirmDialog>
    );
  }
  return data === undefined ? null : (
    <Suspense fallback={null}>
      <EditPanel shipment={data.shipment} close={close} />
    </Suspense>
  );
}
