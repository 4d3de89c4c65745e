import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WireWebhookDelivery } from '#shared/contract/webhooks/delivery-wire.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { StandingMark } from '../../../parts/status-icons.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { momentWords, relativeWords } from '../../../parts/time-words.ts';
import { numberLocale } from '../../../parts/words/locale.ts';
import { durationWords } from '../../carriers/carrier-words.ts';
import { typeWords } from '../webhook-words.ts';
import { deliveryStanding, deliveryWords } from './delivery-words.ts';

type Props = {
  deliveries: readonly WireWebhookDelivery[] | undefined;
  selectedId: string | null;
  error: unknown;
  retry: () => void;
  empty: ReactNode;
};

/** Deliveries, newest first. The whole row opens one. */
export function DeliveryTable({ deliveries, selectedId, error, retry, empty }: Props) {
  const now = useNow();
  return (
    <Table
      caption="Deliveries, newest first"
      columns={columnsOf(now, selectedId)}
      rows={deliveries}
      rowKey={({ delivery_id: id }) => id}
      rowClassName={() => 'h-8 max-md:h-14'}
      isSelected={({ delivery_id: id }) => id === selectedId}
      narrow="headless"
      skeletonRows={10}
      error={error}
      retry={retry}
      empty={empty}
    />
  );
}

function columnsOf(now: number, selectedId: string | null): readonly Column<WireWebhookDelivery>[] {
  return [
    {
      key: 'at',
      name: 'Created',
      className: 'whitespace-nowrap max-md:hidden',
      cellClassName: 'text-t2 tabular-nums',
      // The order of the list. A retry does not move a row.
      cell: ({ created_at: at }) => (
        <time dateTime={at} title={at}>
          {momentWords(at, { seconds: true })}
        </time>
      ),
    },
    {
      key: 'type',
      name: 'Type',
      className: 'w-full max-w-0 max-md:pl-4',
      skeleton: 'w-32',
      isRowHeader: true,
      cell: ({ delivery_id: id, type, created_at: at }) => (
        <>
          <Link
            to="."
            search={(before: Record<string, unknown>) => ({ ...before, delivery: id })}
            resetScroll={false}
            aria-current={id === selectedId || undefined}
            className="block truncate after:absolute after:inset-0"
          >
            {typeWords(type)}
          </Link>
          <span className="block text-label text-t3 md:hidden">{relativeWords(at, now)}</span>
        </>
      ),
    },
    {
      key: 'outcome',
      name: 'Outcome',
      className: 'whitespace-nowrap max-md:pr-4 max-md:text-right',
      skeleton: 'w-28',
      cell: (delivery) => {
        const sign = deliveryStanding(delivery);
        return (
          <span className="inline-flex items-center gap-2">
            <StandingMark sign={sign} />
            <span className={sign === 'good' ? 'text-t2' : ''}>{deliveryWords(delivery)}</span>
          </span>
        );
      },
    },
    {
      key: 'tries',
      name: 'Tries',
      className: 'text-right max-lg:hidden',
      cellClassName: 'text-t2 tabular-nums',
      cell: ({ tries }) => tries.toLocaleString(numberLocale()),
    },
    {
      key: 'next',
      name: 'Next try',
      className: 'whitespace-nowrap text-right max-lg:hidden',
      cellClassName: 'text-t2 tabular-nums',
      cellTitle: ({ next_try_at: at }) => at ?? undefined,
      cell: ({ next_try_at: at }) => (at === null ? '–' : relativeWords(at, now)),
    },
    {
      key: 'latency',
      name: 'Took',
      className: 'whitespace-nowrap text-right max-md:hidden',
      cellClassName: 'text-t2 tabular-nums',
      cell: ({ latency_ms: ms }) => (ms === null ? '–' : durationWords(ms)),
    },
  ];
}
