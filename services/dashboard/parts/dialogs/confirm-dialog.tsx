import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { ProblemNote } from '../page-states.tsx';

type Props = {
  title: string;
  children: ReactNode;
  /** The verb of the button: "Remove". */
  action: string;
  kind?: 'danger' | 'primary';
  /** The verb of the other button. */
  cancel?: string;
  busy?: boolean;
  disabled?: boolean;
  error?: unknown;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks for confirmation, and says what the action does. */
export function ConfirmDialog({
  title,
  children,
  action,
  kind = 'danger',
  cancel = 'Cancel',
  busy = false,
  disabled = false,
  error,
  onConfirm,
  onClose,
}: Props) {
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <AlertDialog.Popup className="fixed inset-x-4 top-[18vh] z-50 mx-auto max-w-md rounded-control border border-line2 bg-bg p-5 outline-none">
          <AlertDialog.Title className="text-title font-semibold tracking-[-0.01em]">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="mt-1 text-body text-t2">
            {children}
          </AlertDialog.Description>
          {error != null && <ProblemNote error={error} className="mt-3" />}
          <div className="mt-5 flex justify-end gap-2">
            <Button onClick={onClose}>{cancel}</Button>
            <Button kind={kind} busy={busy} disabled={disabled} onClick={onConfirm}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
