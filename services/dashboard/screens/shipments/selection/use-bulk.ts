import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call, chosen } from '../../../api/call.ts';
import { type BulkLine, type BulkProgress, runBulk } from '../../../api/run-bulk.ts';
import { readDraft, useKeptDraft } from '../../../parts/hooks/use-draft.ts';
import type { ShareChoice } from '../../shipment/sharing/share-fields.tsx';
import type { Filter } from '../list-plan.ts';
import type { ShipmentRow } from '../shipment-row.ts';

/** An action that workers run, also after the page is closed. */
export type BulkAction =
  | { kind: 'tag'; add: readonly string[]; remove: readonly string[] }
  | { kind: 'archive' | 'restore' | 'refresh' | 'resume' };

/** Target of an action: the selected rows, or all shipments of a list. */
export type BulkTarget = { ids: readonly string[] } | { filter: Filter };

/** Starts actions on many shipments and keeps the last one, also over a reload. */
export function useBulk() {
  const key = ['bulk', chosen.account, chosen.mode].join(' ');
  const [id, setId] = useState(() => readDraft<string>(key));
  useKeptDraft(key, id);
  const starting = useMutation({
    mutationFn: ({ action, target }: { action: BulkAction; target: BulkTarget }) =>
      call('startBulkAction', { body: bodyOf(action, target) as never }, { idempotencyKey: crypto.randomUUID() }),
    onSuccess: (started) => setId(started.bulk_action_id),
  });
  const dismiss = () => {
    starting.reset();
    setId(null);
  };
  return { id, show: setId, start: starting.mutate, isStarting: starting.isPending, error: starting.error, dismiss };
}

/** Exported for tests. */
export function bodyOf(action: BulkAction, target: BulkTarget): object {
  const { sort: _, ...filter } = 'filter' in target ? target.filter : {};
  return {
    action: action.kind,
    ...(action.kind === 'tag' && action.add.length > 0 ? { tags_add: action.add } : {}),
    ...(action.kind === 'tag' && action.remove.length > 0 ? { tags_remove: action.remove } : {}),
    ...('filter' in target ? { filter } : { shipment_ids: target.ids }),
  };
}

/** An action that this page runs, row by row: links are shown once, and an assignment notifies its member. */
export type PageAction = ({ kind: 'share' } & ShareChoice) | { kind: 'assign'; memberId: string | null; name: string };

export type RunningPageAction = {
  action: PageAction;
  total: number;
  progress: BulkProgress<ShipmentRow>;
  isRunning: boolean;
};

/** Runs an action on many shipments from this page. */
export function usePageAction() {
  const client = useQueryClient();
  const [running, setRunning] = useState<RunningPageAction | null>(null);
  const ending = useRef<AbortController | null>(null);
  const start = async (action: PageAction, rows: readonly ShipmentRow[]) => {
    ending.current?.abort();
    const own = new AbortController();
    ending.current = own;
    const show = (progress: BulkProgress<ShipmentRow>, isRunning: boolean) =>
      setRunning({ action, total: rows.length, progress, isRunning });
    show({ lines: [], pauseS: null }, true);
    const lines: BulkLine<ShipmentRow>[] = await runBulk(
      { items: rows, act: (row, signal) => actOn(action, row, signal), report: (progress) => show(progress, true) },
      own.signal,
    );
    show({ lines, pauseS: null }, false);
    client.invalidateQueries({ queryKey: ['overview'] });
    client.invalidateQueries({ queryKey: ['counts'] });
  };
  return { running, start, stop: () => ending.current?.abort(), dismiss: () => setRunning(null) };
}

/** Both may be repeated: another link does no harm. Returns the link, or what was done. */
async function actOn(action: PageAction, { id }: ShipmentRow, signal: AbortSignal): Promise<string> {
  const params = { shipment_id: id };
  if (action.kind === 'share') {
    const body = { shows: [...action.shows], expires_after_days: action.expiresAfterDays };
    return (await call('createShare', { params, body }, { signal })).url;
  }
  await call('updateShipment', { params, body: { assignee: action.memberId } }, { signal });
  return action.memberId === null ? 'Unassigned' : `Assigned to ${action.name}`;
}
