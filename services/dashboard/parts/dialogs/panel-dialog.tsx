import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { IconButton } from '../button.tsx';

type Props = {
  title: string;
  /** Beside the title. */
  note?: ReactNode;
  close: () => void;
  isOpen?: boolean;
  /** Default: 520 px. */
  width?: string;
  footer?: ReactNode;
  children: ReactNode;
};

/** A modal panel at the right edge, as wide as the screen on a phone. */
export function PanelDialog({ title, note, close, isOpen = true, width = 'w-[520px]', footer, children }: Props) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup
          className={`fixed inset-y-0 right-0 z-50 flex max-w-full flex-col border-line2 border-l bg-bg outline-none ${width}`}
        >
          <div className="flex min-h-[52px] shrink-0 items-center gap-2 border-line border-b px-5">
            <Dialog.Title className="font-semibold text-title tracking-[-0.01em]">{title}</Dialog.Title>
            {note}
            <Dialog.Close render={<IconButton icon="close" label="Close" className="ml-auto" />} />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {footer !== undefined && (
            <footer className="flex shrink-0 items-center justify-end gap-2 border-line border-t px-5 py-3">
              {footer}
            </footer>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
