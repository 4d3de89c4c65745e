import { type ReactNode, Suspense, useState } from 'react';

/** Loads a dialog when it first opens. It then stays mounted, so that closing it can return the focus. */
export function OnceOpen({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen || isOpen ? <Suspense fallback={null}>{children}</Suspense> : null;
}
