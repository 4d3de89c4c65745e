import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { type BulkLine, type BulkProgress, runBulk } from '../../../api/run-bulk.ts';
import type { ShareChoice } from '../../shipment/sharing/share-fields.tsx';
import type { ShipmentRow } from '../shipment-row.ts';

export type RunningBulk = {
  action: BulkAction;
  total: number;
  progress: BulkProgress<ShipmentRow>;
  isRunning: boolean;
};

/** Runs one action on many shipments. */
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
        report: (progress) => show(progress, true),
      },
      own.signal,
    );
    show({ lines, pauseS: null }, false);
    client.invalidateQueries({ queryKey: ['overview'] });
    client.invalidateQueries({ queryKey: ['counts'] });
  };
  return { bulk, start, stop: () => ending.current?.abort(), dismiss: () => setBulk(null) };
}

/** Actions that can run on many shipments. */
export type BulkAction =
  | { kind: 'tag'; add: readonly string[]; remove: readonly string[] }
  | { kind: 'assign'; memberId: string | null; name: string }
  | { kind: 'archive' }
  | { kind: 'restore' }
  | { kind: 'refresh' }
  | { kind: 'resume' }
  | ({ kind: 'share' } & ShareChoice);

export const bulkNames: Record<BulkAction['kind'], string> = {
  tag: 'Tag',
  assign: 'Assign',
  archive: 'Archive',
  restore: 'Restore',
  refresh: 'Refresh',
  resume: 'Resume',
  share: 'Share',
};

/**
 * Runs the action on one shipment and returns what was done, or the link. Every action may be repeated: another link does
 * no harm.
 */
export async function actOn(
  action: BulkAction,
  { id: shipmentId, tags }: ShipmentRow,
  signal: AbortSignal,
): Promise<string> {
  const options = { signal };
  switch (action.kind) {
    case 'tag': {
      const next = tagsAfter(tags, action);
      if (next.length === tags.length && next.every((tag) => tags.includes(tag))) return 'No change';
      await call('updateShipment', { params: { shipment_id: shipmentId }, body: { tags: next } }, options);
      return next.length === 0 ? 'Tags removed' : `Tags: ${next.join(', ')}`;
    }
    case 'assign': {
      const body = { assignee: action.memberId };
      await call('updateShipment', { params: { shipment_id: shipmentId }, body }, options);
      return action.memberId === null ? 'Assigned to nobody' : `Assigned to ${action.name}`;
    }
    case 'archive':
      await call('archiveShipment', { params: { shipment_id: shipmentId } }, options);
      return 'Archived';
    case 'restore':
      await call('updateShipment', { params: { shipment_id: shipmentId }, body: { archived: false } }, options);
      return 'Restored';
    case 'refresh':
      await call('refreshShipment', { params: { shipment_id: shipmentId }, body: {} }, options);
      return 'Refresh requested';
    case 'resume':
      await call('resumeShipment', { params: { shipment_id: shipmentId }, body: {} }, options);
      return 'Tracking resumed';
    case 'share': {
      const body = { shows: [...action.shows], expires_after_days: action.expiresAfterDays };
      return (await call('createShare', { params: { shipment_id: shipmentId }, body }, options)).url;
    }
  }
}

export function tagsAfter(
  tags: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): string[] {
  return [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])];
}
