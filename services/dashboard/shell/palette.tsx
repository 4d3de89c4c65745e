import { lazy, Suspense } from 'react';

const load = () => import('./palette-dialog.tsx');
const PaletteDialog = lazy(async () => ({ default: (await load()).PaletteDialog }));

/** Fetched while nothing else is to be done, so that the first key opens it at once. */
export function preloadPalette(): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(() => void load().catch(() => undefined));
}

/** Search and commands, from anywhere by `/` or Ctrl-K. */
export function Palette({ isOpen, close, showKeys }: { isOpen: boolean; close: () => void; showKeys: () => void }) {
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <PaletteDialog close={close} showKeys={showKeys} />
    </Suspense>
  );
}
