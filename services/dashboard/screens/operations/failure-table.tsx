import { type Column, Table } from '../../parts/table.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import type { WireOperations } from './operations-state.ts';
import { reasonWords } from './trace-words.ts';

type Failure = WireOperations['failures'][number];

const maxRows = 20;

/** Failed refreshes of the last quarter of an hour, by carrier and reason. */
export function FailureTable({ state: { failures, connectors } }: { state: WireOperations }) {
  const names = new Map(connectors.map(({ connector, name }) => [connector, name]));
  const columns: Column<Failure>[] = [
    {
      key: 'carrier',
      name: 'Carrier',
      className: 'text-left',
      isRowHeader: true,
      cell: ({ connector }) => names.get(connector) ?? connector,
    },
    { key: 'reason', name: 'Reason', cell: ({ reason }) => <span title={reason}>{reasonWords(reason)}</span> },
    {
      key: 'http',
      name: 'HTTP',
      cell: (failure) => <span className="text-t2 tabular-nums">{statusWords(failure)}</span>,
    },
    {
      key: 'refreshes',
      name: 'Refreshes',
      className: 'w-24 text-right',
      cell: ({ refreshes }) => <span className="tabular-nums">{refreshes.toLocaleString(numberLocale())}</span>,
    },
  ];
  return (
    <section aria-label="Failures by reason" className="min-w-0 border-line lg:border-r">
      <div className="flex min-h-10 items-center gap-3 border-line border-b px-4">
        <h2 className="font-semibold text-section">Failures by reason</h2>
        <span className="text-label text-t3">{failures.length === 0 ? 'none in the last 15 min' : 'last 15 min'}</span>
      </div>
      {failures.length > 0 && (
        <Table
          caption="Failed refreshes of the last 15 minutes"
          columns={columns}
          rows={failures.slice(0, maxRows)}
          rowKey={({ connector, reason, http_status: status, asked }) => `${connector} ${reason} ${status} ${asked}`}
        />
      )}
    </section>
  );
}

/** Words for a refresh that made no call, by its reason. */
const pauses: Partial<Record<string, string>> = {
  carrier_unreachable: 'circuit open',
  carrier_rate_limited: 'rate limited',
  carrier_auth_failed: 'credentials suspended',
  credentials_missing: 'no credentials',
};

function statusWords({ http_status: status, asked, reason }: Failure): string {
  if (status !== null) return String(status);
  return asked ? 'no response' : `not called: ${pauses[reason] ?? 'paused'}`;
}
