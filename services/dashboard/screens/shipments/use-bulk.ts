import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { actOn, type BulkAction } from './bulk-actions.ts';
import { type BulkLine, type BulkProgress, runBulk } from './run-bulk.ts';
import type { ShipmentRow } from './shipment-row.ts';

export type RunningBulk = {
  action: BulkAction;
  total: number;
  progress: BulkProgress<ShipmentRow>;
  isRunning: boolean;
};

/** One thing done to many, and how it goes. */
export function useBulk() {
  const client = useQueryClient();
  const [bulk, setBulk] = useState<RunningBulk | null>(null);
  const ending = useRef<AbortController | null>(null);
  const start = async (action: BulkAction, rows: readonly ShipmentRow[]) => {
    ending.current?.abort();
    const own = new AbortController();
    ending.current = own;
    const show = (progress: BulkProgress<ShipmentRow>, isRunning: boolean) =>
      setBulk({ action, total: rows.length, progress, isRunning });
    show({ lines: [], pauseS: null }, true);
    const lines: BulkLine<ShipmentRow>[] = await runBulk(
      {
        items: rows,
        act: (row, signal) => actOn(action, row, signal),
        tell: (progress) => show(progress, true),
        pause,
      },
      own.signal,
    );
    show({ lines, pauseS: null }, false);
    client.invalidateQueries({ queryKey: ['overview'] });
    client.invalidateQueries({ queryKey: ['counts'] });
  };
  return { bulk, start, stop: () => ending.current?.abort(), putAway: () => setBulk(null) };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
