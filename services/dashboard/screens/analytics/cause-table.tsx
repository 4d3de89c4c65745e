import { type Column, Table } from '../../parts/table.tsx';
import { capital } from '../../parts/words/code-words.ts';
import { percentWords } from '../../parts/words/figure-words.ts';
import type { ArrivalFigures } from './analytics-scope.ts';
import { CountLink } from './figure-link.tsx';

type Cause = ArrivalFigures['delay_causes'][number];

/** Late arrivals by what the records know as a cause. */
export function CauseTable({ total }: { total: ArrivalFigures | undefined }) {
  if (total === undefined || total.late === 0) return null;
  return (
    <section className="shrink-0">
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 border-line border-b bg-sunk px-4 py-1.5">
        <h2 className="text-section font-semibold">Late arrivals by cause</h2>
        <span className="text-label text-t3">As carriers stated it. An arrival with two causes counts for both.</span>
      </div>
      <Table
        caption="Late arrivals by cause"
        columns={columnsOf(total)}
        rows={total.delay_causes}
        rowKey={({ cause }) => cause}
        narrow="headless"
      />
    </section>
  );
}

function columnsOf({ list, late }: ArrivalFigures): readonly Column<Cause>[] {
  return [
    {
      key: 'cause',
      name: 'Cause',
      isRowHeader: true,
      className: 'w-full',
      cell: ({ cause, description }) => (
        <span className={cause === 'unknown' ? 'text-t3' : ''}>{capital(description)}</span>
      ),
    },
    {
      key: 'arrivals',
      name: 'Late arrivals',
      className: 'text-right tabular-nums',
      cell: ({ cause, description, arrivals }) => (
        <CountLink
          count={arrivals}
          of={`late arrivals, ${description}`}
          list={list}
          and={`on_time=late&delay_cause=${encodeURIComponent(cause)}`}
        />
      ),
    },
    {
      key: 'share',
      name: 'Share',
      className: 'text-right tabular-nums',
      headTitle: 'Of all late arrivals',
      cell: ({ arrivals }) => percentWords(arrivals / late),
    },
  ];
}
