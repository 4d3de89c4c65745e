import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { WireBulkAction } from '#shared/contract/bulk/bulk-action-wire.ts';
import { call } from '../../../api/call.ts';
import { ProblemError } from '../../../api/problem-error.ts';
import { Button, IconButton } from '../../../parts/button.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { WarningMark } from '../../../parts/status-icons.tsx';
import { bulkText, failureTexts } from './bulk-words.ts';
import type { useBulk } from './use-bulk.ts';

const refetchMs = 1000;

/** The last action on many shipments: its progress, its result, and undo. */
export function BulkStrip({ bulk }: { bulk: ReturnType<typeof useBulk> }) {
  const { id, show, dismiss } = bulk;
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['bulk-action', id],
    queryFn: () => call('getBulkAction', { params: { bulk_action_id: id ?? '' } }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.completed_at == null ? refetchMs : false),
  });
  const params = { bulk_action_id: id ?? '' };
  const cancel = useMutation({
    mutationFn: () => call('cancelBulkAction', { params }),
    onSuccess: (data) => client.setQueryData(['bulk-action', id], data),
  });
  const undo = useMutation({
    mutationFn: () => call('undoBulkAction', { params }),
    onSuccess: (data) => show(data.bulk_action_id),
  });
  const { data } = query;
  const hasEnded = data?.completed_at != null;
  useEffect(() => {
    if (!hasEnded) return;
    client.invalidateQueries({ queryKey: ['overview'] });
    client.invalidateQueries({ queryKey: ['counts'] });
  }, [hasEnded, client]);
  const error = bulk.error ?? cancel.error ?? undo.error ?? (data === undefined ? query.error : null);
  // It ended long ago.
  const isGone = query.error instanceof ProblemError && query.error.status === 404;
  useEffect(() => void (isGone && dismiss()), [isGone, dismiss]);
  if (isGone || (id === null && error === null && !bulk.isStarting)) return null;
  return (
    <div
      role="status"
      aria-label="Action on many shipments"
      className="flex shrink-0 flex-col border-line border-b bg-sunk px-4 py-1.5 text-body print:hidden"
    >
      {error !== null && <ProblemNote error={error} className="py-1" />}
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="tabular-nums">
          {data === undefined ? (error === null ? 'Starting…' : '') : bulkText(data)}
        </span>
        {data !== undefined && !hasEnded && (
          <progress
            aria-label="Progress"
            {...(data.state === 'running' ? { value: data.processed, max: Math.max(1, data.total) } : {})}
            className="block h-1 w-40 appearance-none overflow-hidden rounded-bar bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
          />
        )}
        <span className="ml-auto flex items-center gap-2">
          {data !== undefined && !hasEnded && (
            <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
              Cancel
            </Button>
          )}
          {data !== undefined && canUndo(data) && (
            <Button busy={undo.isPending} onClick={() => undo.mutate()}>
              Undo
            </Button>
          )}
          {(hasEnded || error !== null) && <IconButton icon="close" size={12} label="Close" onClick={dismiss} />}
        </span>
      </div>
      {data !== undefined &&
        failureTexts(data).map((text) => (
          <p key={text} className="flex items-start gap-2 py-0.5 text-t2">
            <span className="mt-[3px]">
              <WarningMark severity="warning" />
            </span>
            {text}
          </p>
        ))}
    </div>
  );
}

function canUndo({ completed_at: endedAt, action, changed, undoes }: WireBulkAction): boolean {
  return endedAt !== null && action === 'archive' && changed > 0 && undoes === null;
}
