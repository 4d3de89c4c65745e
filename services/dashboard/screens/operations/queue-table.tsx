import { type Column, Table } from '../../parts/table.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import type { WireOperations } from './operations-state.ts';

type Queue = NonNullable<WireOperations['queues']>[number];

const states = ['waiting', 'active', 'delayed', 'failed'] as const;
const columns: Column<Queue>[] = [
  { key: 'queue', name: 'Queue', isRowHeader: true, cell: ({ connector }) => connector },
  ...states.map(
    (state): Column<Queue> => ({
      key: state,
      name: `${state.charAt(0).toUpperCase()}${state.slice(1)}`,
      className: 'w-24 text-right max-sm:w-auto',
      cell: (queue) => (
        <span className={`tabular-nums ${state === 'failed' && queue.failed > 0 ? 'text-red' : 'text-t2'}`}>
          {queue[state].toLocaleString(numberLocale())}
        </span>
      ),
    }),
  ),
];

/** The queues that are not empty. */
export function QueueTable({ queues }: Pick<WireOperations, 'queues'>) {
  const busy = queues?.filter((queue) => states.some((state) => queue[state] > 0)) ?? [];
  return (
    <section aria-label="Queues" className="min-w-0">
      <div className="flex min-h-10 items-center gap-3 border-line border-b px-4 py-1">
        <h2 className="font-semibold text-section">Queues</h2>
        <span className={`text-label ${queues === null ? 'text-red' : 'text-t3'}`}>
          {queues === null ? 'The queue is unavailable.' : countWords(busy.length)}
        </span>
      </div>
      {busy.length > 0 && (
        <Table caption="Queues with jobs" columns={columns} rows={busy} rowKey={({ connector }) => connector} />
      )}
    </section>
  );
}

function countWords(busy: number): string {
  return busy === 0 ? 'all empty' : `${busy} with jobs`;
}
