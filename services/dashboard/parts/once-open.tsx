import { type ReactNode, Suspense, useState } from 'react';

/** Loads what opens when it opens first; from then on it stays, so that closing it can give the focus back. */
export function OnceOpen({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen || isOpen ? <Suspense fallback={null}>{children}</Suspense> : null;
}
