import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { useNow } from '../../parts/hooks/use-now.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { relativeWords } from '../../parts/time-words.ts';
import { durationWords } from '../carriers/carrier-words.ts';
import { backlogWords, successOf } from './endpoint-health.ts';
import { EndpointState } from './endpoint-notice.tsx';
import { recentStatsQuery } from './webhook-queries.ts';
import { shortUrl, typesWords } from './webhook-words.ts';

type Props = {
  endpoints: readonly WireWebhookEndpoint[] | undefined;
  error: unknown;
  retry: () => void;
  empty: ReactNode;
};

const ranks: Record<string, number> = { failing: 0, enabled: 1, disabled: 2 };

/** The endpoints, failing ones first. The whole row opens one. */
export function EndpointTable({ endpoints, error, retry, empty }: Props) {
  const now = useNow();
  const rows = endpoints?.toSorted((left, right) => (ranks[left.state] ?? 1) - (ranks[right.state] ?? 1));
  return (
    <Table
      caption="Webhook endpoints"
      columns={columnsOf(now)}
      rows={rows}
      rowKey={({ webhook_endpoint_id: id }) => id}
      rowClassName={() => 'h-11 max-md:h-16'}
      narrow="headless"
      skeletonRows={4}
      error={error}
      retry={retry}
      empty={empty}
    />
  );
}

function columnsOf(now: number): readonly Column<WireWebhookEndpoint>[] {
  return [
    {
      key: 'endpoint',
      name: 'Endpoint',
      className: 'w-full max-w-0',
      skeleton: 'w-64',
      isRowHeader: true,
      cell: (endpoint) => (
        <>
          <Link
            to="/developers/webhooks/$endpointId"
            params={{ endpointId: endpoint.webhook_endpoint_id }}
            title={endpoint.url}
            className="block truncate font-medium after:absolute after:inset-0"
          >
            {endpoint.description ?? shortUrl(endpoint.url)}
          </Link>
          <span className="block truncate text-label text-t3">
            {endpoint.description === null ? typesWords(endpoint.types) : shortUrl(endpoint.url)}
          </span>
        </>
      ),
    },
    {
      key: 'state',
      name: 'State',
      className: 'whitespace-nowrap max-sm:pr-4',
      cell: (endpoint) => (
        <>
          <EndpointState endpoint={endpoint} />
          {endpoint.backlog.changes + endpoint.backlog.waiting > 0 && (
            <span className="block text-label text-t3 md:hidden">{backlogWords(endpoint)}</span>
          )}
        </>
      ),
    },
    {
      key: 'success',
      name: 'Success',
      headTitle: 'Last 24 hours',
      className: 'whitespace-nowrap text-right max-sm:hidden',
      cell: (endpoint) => <Success endpointId={endpoint.webhook_endpoint_id} />,
    },
    {
      key: 'p95',
      name: 'p95',
      headTitle: 'Last 24 hours',
      className: 'whitespace-nowrap text-right max-lg:hidden',
      cell: (endpoint) => <Latency endpointId={endpoint.webhook_endpoint_id} />,
    },
    {
      key: 'backlog',
      name: 'Backlog',
      className: 'whitespace-nowrap text-right max-md:hidden',
      cellClassName: 'text-t2 tabular-nums',
      cell: backlogWords,
    },
    {
      key: 'last',
      name: 'Last success',
      className: 'whitespace-nowrap text-right max-lg:hidden',
      cellClassName: 'text-t2 tabular-nums',
      cellTitle: ({ last_success_at: at }) => at ?? undefined,
      cell: ({ last_success_at: at }) => (at === null ? 'never' : relativeWords(at, now)),
    },
  ];
}

function Success({ endpointId }: { endpointId: string }) {
  const { data } = useQuery(recentStatsQuery);
  if (data === undefined) return <Skeleton className="w-12" />;
  const { words, colour } = successOf(data[endpointId]?.success_rate ?? null);
  return <span className={`tabular-nums ${colour}`}>{words}</span>;
}

function Latency({ endpointId }: { endpointId: string }) {
  const { data } = useQuery(recentStatsQuery);
  if (data === undefined) return <Skeleton className="w-12" />;
  const p95 = data[endpointId]?.latency_p95_ms ?? null;
  return <span className="text-t2 tabular-nums">{p95 === null ? '–' : durationWords(p95)}</span>;
}
