import { Suspense } from 'react';
import { Panel } from '../../../parts/dialogs/panel.tsx';
import { lazyPart } from '../../../parts/lazy-parts.tsx';
import type { ShipmentRow } from '../shipment-row.ts';

const load = async () => (await import('./preview-panel.tsx')).PreviewPanel;
const PreviewPanel = lazyPart(load);

/** Loads the preview before it is opened. What fails here is tried again then. */
export function preloadPreview(): void {
  load().catch(() => undefined);
}

/** The preview, and its frame until it is loaded. */
export function LazyPreview({ id, row, close }: { id: string; row: ShipmentRow | null; close: () => void }) {
  return (
    <Suspense fallback={<Panel kind="preview" narrow="covers the list" label="Preview" title="" close={close} />}>
      <PreviewPanel id={id} row={row} close={close} />
    </Suspense>
  );
}
