import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';

/** Cancels a running import, or deletes one that has ended. `onDeleted`: there is nothing left to show. */
export function DeleteImport({
  importId,
  isRunning,
  onDeleted,
}: {
  importId: string;
  isRunning: boolean;
  onDeleted: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const deletion = useMutation({
    mutationFn: () => call('deleteImport', { params: { import_id: importId } }),
    onSuccess: onDeleted,
  });
  const close = () => {
    setOpen(false);
    deletion.reset();
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{isRunning ? 'Cancel import' : 'Delete import'}</Button>
      {isOpen && (
        <ConfirmDialog
          title={isRunning ? 'Cancel this import?' : 'Delete this import?'}
          action={isRunning ? 'Cancel import' : 'Delete import'}
          cancel="Keep it"
          busy={deletion.isPending}
          error={deletion.error}
          onConfirm={() => deletion.mutate()}
          onClose={close}
        >
          {isRunning ? 'Rows that are still waiting are not registered. ' : 'The failed rows are deleted, too. '}
          Shipments that were registered stay.
        </ConfirmDialog>
      )}
    </>
  );
}
