import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AnswerOf } from '#shared/contract/operations.ts';
import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { useNow } from '../../parts/hooks/use-now.ts';
import { ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { momentWords } from '../../parts/time-words.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { ageWords, durationWords } from '../carriers/carrier-words.ts';
import { backlogWords, everyHour, successOf } from './endpoint-health.ts';
import { statsQuery } from './webhook-queries.ts';

type Stats = AnswerOf<'getWebhookStats'>;

/** Four numbers of the last 24 hours, and the outcomes by hour. */
export function EndpointStats({ endpoint }: { endpoint: WireWebhookEndpoint }) {
  const now = useNow();
  const { data: stats, error, refetch } = useQuery(statsQuery(endpoint.webhook_endpoint_id));
  if (error !== null && stats === undefined)
    return <ProblemNote error={error} retry={() => void refetch()} className="border-line border-b px-4 py-3" />;
  const success = stats && successOf(stats.success_rate);
  const oldest = stats?.oldest_undelivered_at ?? null;
  return (
    <div className="grid grid-cols-[repeat(4,minmax(0,1fr))_minmax(0,2fr)] gap-px border-line border-b bg-line max-lg:grid-cols-2">
      <Figure name="Success, 24 h">{success && <span className={success.colour}>{success.words}</span>}</Figure>
      <Figure name="Latency p50 / p95">{stats && latencyWords(stats)}</Figure>
      <Figure name="Backlog">{backlogWords(endpoint)}</Figure>
      <Figure name="Oldest undelivered">
        {stats && (
          <span className={oldest === null ? '' : 'text-amber'}>
            {oldest === null ? 'none' : ageWords(Math.max(0, now - Date.parse(oldest)) / 1000)}
          </span>
        )}
      </Figure>
      <HourBars stats={stats} />
    </div>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name} className="flex h-[76px] min-w-0 flex-col justify-center bg-bg px-4">
      <h2 className="whitespace-nowrap text-label text-t2">{name}</h2>
      <p className="truncate font-semibold text-count tabular-nums tracking-[-0.01em]">
        {children ?? <Skeleton className="w-16" />}
      </p>
    </section>
  );
}

function latencyWords({ latency_p50_ms: p50, latency_p95_ms: p95 }: Stats): string {
  return p50 === null || p95 === null ? '–' : `${durationWords(p50)} / ${durationWords(p95)}`;
}

/** One bar an hour: grey delivered, red not. */
function HourBars({ stats }: { stats: Stats | undefined }) {
  const now = useNow();
  const hours = stats === undefined ? [] : everyHour(stats.by_hour, now);
  const most = Math.max(1, ...hours.map(({ delivered, failed }) => delivered + failed));
  const failed = stats === undefined ? 0 : stats.waiting + stats.exhausted;
  const summary =
    stats &&
    `${stats.delivered.toLocaleString(numberLocale())} delivered, ${failed.toLocaleString(numberLocale())} not delivered`;
  return (
    <section
      aria-label="Deliveries by hour, last 24 hours"
      className="flex h-[76px] min-w-0 flex-col justify-center bg-bg px-4 max-lg:col-span-2"
    >
      <div className="flex justify-between gap-2 whitespace-nowrap text-label">
        <h2 className="text-t2">Last 24 hours</h2>
        <span className="truncate text-t3">{summary}</span>
      </div>
      <div aria-hidden="true" className="mt-1.5 flex h-8 items-end gap-0.5">
        {hours.map((hour) => (
          <span
            key={hour.at}
            title={`${momentWords(hour.at)}: ${hour.delivered} delivered, ${hour.failed} not delivered`}
            className="flex h-full min-w-0 flex-1 flex-col justify-end gap-px border-line border-b"
          >
            <Bar count={hour.failed} most={most} className="bg-red" />
            <Bar count={hour.delivered} most={most} className="bg-bar" />
          </span>
        ))}
      </div>
    </section>
  );
}

function Bar({ count, most, className }: { count: number; most: number; className: string }) {
  if (count === 0) return null;
  return <span className={`rounded-bar ${className}`} style={{ height: `${Math.max(8, (count / most) * 100)}%` }} />;
}
