import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';

/** A panel that comes in at the right edge, the whole width on a phone. */
export function PanelDialog({
  title,
  close,
  children,
  footer,
}: {
  title: string;
  close: () => void;
  children: ReactNode;
  footer?: ReactNode;
}) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup className="fixed inset-y-0 right-0 z-50 flex w-[520px] max-w-full flex-col border-line border-l bg-bg outline-none">
          <div className="flex h-[52px] shrink-0 items-center border-line border-b px-5">
            <Dialog.Title className="font-semibold text-title tracking-[-0.01em]">{title}</Dialog.Title>
            <Dialog.Close render={<IconButton icon="close" label="Close" className="ml-auto" />} />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {footer !== undefined && (
            <div className="flex shrink-0 items-center justify-end gap-2 border-line border-t px-5 py-3">{footer}</div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
