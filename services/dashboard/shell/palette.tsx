import { lazy, Suspense } from 'react';
import type { PaletteDialog } from './palette-dialog.tsx';

let loaded: typeof PaletteDialog | null = null;

async function load(): Promise<{ default: typeof PaletteDialog }> {
  const module = await import('./palette-dialog.tsx');
  loaded = module.PaletteDialog;
  return { default: module.PaletteDialog };
}

const LazyDialog = lazy(load);

/** Fetched while nothing else is to be done: what is typed or pasted right behind the `/` must find its input. */
export function preloadPalette(): void {
  const begin = () => void load().catch(() => undefined);
  if ('requestIdleCallback' in window) window.requestIdleCallback(begin);
  else setTimeout(begin);
}

/** Search and commands, from anywhere by `/` or Ctrl-K. */
export function Palette({ isOpen, close, showKeys }: { isOpen: boolean; close: () => void; showKeys: () => void }) {
  if (!isOpen) return null;
  const Dialog = loaded ?? LazyDialog;
  return (
    <Suspense fallback={null}>
      <Dialog close={close} showKeys={showKeys} />
    </Suspense>
  );
}
