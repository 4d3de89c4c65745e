import { Suspense } from 'react';
import { lazyPart } from '../parts/lazy-parts.tsx';
import type { PaletteDialog } from './palette-dialog.tsx';

let loaded: typeof PaletteDialog | null = null;

async function load(): Promise<typeof PaletteDialog> {
  const module = await import('./palette-dialog.tsx');
  loaded = module.PaletteDialog;
  return module.PaletteDialog;
}

const LazyDialog = lazyPart(load);

/** Loads the palette when idle, so that text typed right after `/` reaches its input. */
export function preloadPalette(): void {
  const start = () => void load().catch(() => undefined);
  if ('requestIdleCallback' in window) window.requestIdleCallback(start);
  else setTimeout(start);
}

/** Search and commands, opened with `/` or Ctrl+K. */
export function Palette({ isOpen, close, showKeys }: { isOpen: boolean; close: () => void; showKeys: () => void }) {
  if (!isOpen) return null;
  const Dialog = loaded ?? LazyDialog;
  return (
    <Suspense fallback={null}>
      <Dialog close={close} showKeys={showKeys} />
    </Suspense>
  );
}
