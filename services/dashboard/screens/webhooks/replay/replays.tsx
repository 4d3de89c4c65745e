import { useMutation, useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '#shared/contract/operations.ts';
import { call } from '../../../api/call.ts';
import { Button } from '../../../parts/button.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { StatusGlyph } from '../../../parts/status-icons.tsx';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import { replaysQuery } from '../webhook-queries.ts';

type Replay = AnswerOf<'listWebhookReplays'>['data'][number];

const shownMs = 60 * 60_000;

/** Replays that run, or ended within the last hour. */
export function Replays({ endpointId }: { endpointId: string }) {
  const now = useNow();
  const replays = useQuery(replaysQuery(endpointId));
  const shown = replays.data?.filter(({ completed_at: at }) => at === null || now - Date.parse(at) < shownMs);
  if (shown === undefined || shown.length === 0) return null;
  return (
    <section aria-label="Replays" className="border-line border-b">
      {shown.map((replay) => (
        <ReplayLine key={replay.replay_id} replay={replay} />
      ))}
    </section>
  );
}

function ReplayLine({ replay }: { replay: Replay }) {
  const cancelling = useMutation({
    mutationFn: () =>
      call('cancelWebhookReplay', {
        params: { webhook_endpoint_id: replay.webhook_endpoint_id, replay_id: replay.replay_id },
      }),
  });
  const isRunning = replay.state === 'running';
  const share = Math.round(replay.progress * 100);
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
      <span role="status" className="flex items-center gap-2">
        <StatusGlyph status={isRunning ? 'in_transit' : replay.state === 'done' ? 'delivered' : 'cancelled'} />
        {isRunning ? `Replay running, ${share} %` : replay.state === 'done' ? 'Replay queued' : 'Replay cancelled'}
      </span>
      {isRunning && (
        <span
          role="progressbar"
          aria-label="Replay"
          aria-valuenow={share}
          aria-valuemin={0}
          aria-valuemax={100}
          className="h-1.5 w-48 overflow-hidden rounded-bar bg-line"
        >
          <span className="block h-full bg-accent" style={{ width: `${share}%` }} />
        </span>
      )}
      <span className="text-t2 tabular-nums">
        {replay.queued.toLocaleString(numberLocale())} {replay.queued === 1 ? 'delivery' : 'deliveries'} queued
        <span className="text-t3">
          , positions {replay.from_position.toLocaleString(numberLocale())} to{' '}
          {replay.to_position.toLocaleString(numberLocale())}
          {replay.failed_only ? ', only undelivered' : ''}
        </span>
      </span>
      <span className="text-label text-t3">
        <Timestamp at={replay.completed_at ?? replay.created_at} />
      </span>
      {isRunning && (
        <Button kind="quiet" className="ml-auto" busy={cancelling.isPending} onClick={() => cancelling.mutate()}>
          Cancel
        </Button>
      )}
      {cancelling.isError && <ProblemNote error={cancelling.error} />}
    </div>
  );
}
