import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../session/use-session.ts';
import { screens } from './screens.ts';

/** Search and commands, from anywhere by `/` or Ctrl-K. */
export function Palette({ open, setOpen }: { open: boolean; setOpen: (open: boolean) => void }) {
  const navigate = useNavigate();
  const { user } = useSession();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isWriting = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [contenteditable]') !== null;
      if ((event.key === 'k' && (event.metaKey || event.ctrlKey)) || (event.key === '/' && !isWriting)) {
        event.preventDefault();
        setOpen(true);
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [setOpen]);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-t1/20" />
        <Dialog.Popup className="fixed inset-x-4 top-[12vh] z-50 mx-auto max-w-xl rounded-control border border-line2 bg-bg py-1 outline-none">
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          {screens
            .filter(({ operatorsOnly }) => !operatorsOnly || user.is_operator)
            .map(({ to, name }) => (
              <button
                key={to}
                type="button"
                className="flex h-8 w-full items-center px-3 hover:bg-hover"
                onClick={() => {
                  setOpen(false);
                  navigate({ to });
                }}
              >
                {name}
              </button>
            ))}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
