import { Link, useSearch } from '@tanstack/react-router';
import type { WireCarrier } from '../../../api/wire.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { EmptyState } from '../../../parts/page-states.tsx';
import { WarningMark } from '../../../parts/status-icons.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { relativeWords } from '../../../parts/time-words.ts';
import { wordOf } from '../../../parts/words/code-words.ts';
import { type AccessState, accessState, accessWords } from './access-words.ts';

type Props = {
  carriers: readonly WireCarrier[] | undefined;
  selectedCode: string | null;
  error: unknown;
  retry: () => void;
};

/** One row per carrier. The whole row opens it. */
export function AccessTable({ carriers, selectedCode, error, retry }: Props) {
  const now = useNow();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const columns: readonly Column<WireCarrier>[] = [
    {
      key: 'carrier',
      name: 'Carrier',
      className: 'max-w-56 max-md:w-full max-md:max-w-0',
      cellClassName: (carrier) => `truncate ${accessState(carrier) === 'unsupported' ? 'text-t3' : ''}`,
      skeleton: 'w-40',
      cell: (carrier) => (
        <>
          <Link
            to="/configuration/$section"
            params={{ section: 'carriers' }}
            search={{ ...search, carrier: carrier.code }}
            aria-current={carrier.code === selectedCode || undefined}
            title={carrier.name}
            className="after:absolute after:inset-0"
          >
            {carrier.name}
          </Link>
          <span className="flex items-center gap-1.5 truncate text-label text-t3 md:hidden">
            <AccessMark state={accessState(carrier)} />
            {accessWords(carrier, now)}
          </span>
        </>
      ),
    },
    {
      key: 'code',
      name: 'Code',
      className: 'max-md:hidden',
      cellClassName: 'font-mono text-number text-t2',
      cell: ({ code }) => code,
    },
    {
      key: 'modes',
      name: 'Modes',
      className: 'max-lg:hidden',
      cellClassName: 'whitespace-nowrap text-t2',
      cell: ({ transport_modes: modes }) => modes.map(wordOf).join(', '),
    },
    {
      key: 'credentials',
      name: 'Credentials',
      className: 'w-full max-w-0 max-md:hidden',
      cellClassName: 'text-t2',
      cellTitle: (carrier) => accessWords(carrier, now),
      skeleton: 'w-28',
      cell: (carrier) => (
        <span className="flex items-center gap-1.5">
          <AccessMark state={accessState(carrier)} />
          <span className="truncate">{accessWords(carrier, now)}</span>
        </span>
      ),
    },
    {
      key: 'responded',
      name: 'Last response',
      className: 'text-right max-md:hidden',
      cellClassName: 'whitespace-nowrap text-t2 tabular-nums',
      cell: ({ health }) => (health.last_success_at === null ? '' : relativeWords(health.last_success_at, now)),
    },
  ];
  return (
    <Table
      caption="Carrier access"
      columns={columns}
      rows={carriers}
      rowKey={({ code }) => code}
      rowClassName={() => 'h-8 max-md:h-14'}
      isSelected={({ code }) => code === selectedCode}
      narrow="headless"
      skeletonRows={14}
      error={error}
      retry={retry}
      empty={<EmptyState title="No matching carriers">Change the search text or the filter.</EmptyState>}
    />
  );
}

const markClasses: Partial<Record<AccessState, string>> = {
  own: 'bg-green border-green',
  instance: 'border-green',
  simulated: 'border-t3 border-dashed',
  missing: 'border-t3',
  unaddressed: 'border-t3',
};

/**
 * Decoration beside the text: filled for own credentials, a ring for those of the installation, a triangle for rejected
 * ones.
 */
export function AccessMark({ state }: { state: AccessState }) {
  if (state === 'rejected') return <WarningMark severity="critical" size={12} />;
  return (
    <span
      aria-hidden="true"
      className={`inline-block size-2 shrink-0 rounded-full border ${markClasses[state] ?? 'border-transparent'}`}
    />
  );
}
