import { useState } from 'react';
import { useNow } from '../../parts/hooks/use-now.ts';
import { Icon } from '../../parts/icon.tsx';
import { StandingMark } from '../../parts/status-icons.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { ageWords, durationWords, shareWords } from '../carriers/carrier-words.ts';
import { inTrouble, maxDueAgeS, slowOf, worstFirst } from './answer-sentence.ts';
import { factsOfConnector, standing, why } from './connector-words.ts';
import { DayBars } from './day-bars.tsx';
import type { WireConnector, WireOperations, WireOperationsHistory } from './operations-state.ts';

const quiet = 'text-t2 tabular-nums';
const none = <span className="text-t3">–</span>;

/** A connector, or, in the row below it, its facts. */
type Row = WireConnector & { isFacts?: true };

type Props = { state: WireOperations; history: WireOperationsHistory | undefined };

/** Every carrier that was called or is due, worst first. A row opens to all that is known of it. */
export function ConnectorTable({ state, history }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const now = useNow();
  const { connectors } = state;
  const slow = slowOf(state);
  const toggle = (connector: string) => {
    const next = new Set(opened);
    if (!next.delete(connector)) next.add(connector);
    setOpened(next);
  };
  const columns: Column<Row>[] = [
    {
      key: 'carrier',
      name: 'Carrier',
      isRowHeader: true,
      span: ({ isFacts }) => (isFacts ? columns.length : 1),
      cell: (one) =>
        one.isFacts ? (
          <ConnectorFacts one={one} />
        ) : (
          <button
            type="button"
            aria-expanded={opened.has(one.connector)}
            onClick={() => toggle(one.connector)}
            className="flex items-center gap-1.5 text-left font-medium"
          >
            <Icon name={opened.has(one.connector) ? 'down' : 'right'} size={10} />
            {one.name}
          </button>
        ),
    },
    { key: 'state', name: 'State', cell: (one) => <Standing one={one} isSlow={slow.has(one.connector)} /> },
    {
      key: 'why',
      name: 'Why',
      className: 'max-xl:hidden',
      cell: (one) => {
        const isSlow = slow.has(one.connector);
        return <span className={inTrouble(one) || isSlow ? '' : 'text-t2'}>{why(one, now, isSlow)}</span>;
      },
    },
    {
      key: 'calls-last-24-h',
      name: 'Calls, last 24 h',
      className: 'w-72 max-md:hidden',
      cell: ({ connector }) => <DayBars slots={history?.bars[connector]} />,
    },
    {
      key: 'calls',
      name: 'Calls, 5 min',
      className: 'text-right max-lg:hidden',
      cell: ({ requests }) => number(requests),
    },
    { key: 'success', name: 'Success', className: 'text-right', cell: (one) => <Success one={one} /> },
    { key: 'p50', name: 'p50', className: 'text-right max-lg:hidden', cell: ({ latency_p50_ms: ms }) => duration(ms) },
    {
      key: 'p95',
      name: 'p95',
      className: 'whitespace-nowrap text-right max-lg:pr-4',
      cell: ({ connector, latency_p95_ms: ms }) => duration(ms, slow.has(connector)),
    },
    {
      key: 'usual-p95',
      name: 'Usual p95',
      className: 'text-right max-lg:hidden',
      cell: ({ usual_ms: ms }) => duration(ms),
    },
    { key: 'due', name: 'Due', className: 'text-right max-lg:hidden', cell: ({ due_count: due }) => number(due) },
    {
      key: 'oldest-due',
      name: 'Oldest due',
      className: 'text-right max-lg:hidden',
      cell: ({ due_oldest_age_s: ageS }) =>
        ageS === null ? none : <span className={ageS > maxDueAgeS ? 'text-amber' : quiet}>{ageWords(ageS)}</span>,
    },
    {
      key: 'calls-left',
      name: 'Calls left',
      className: 'text-right max-lg:hidden',
      cell: ({ budget_left: left }) => (left === null ? none : number(Math.floor(left))),
    },
  ];
  return (
    <section aria-label="Carriers">
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1">
        <h2 className="font-semibold text-section">Carriers</h2>
        <span className="text-label text-t3">worst first, {connectors.length.toLocaleString(numberLocale())}</span>
        <span className="ml-auto flex flex-wrap items-center gap-x-4 text-label text-t2 max-md:hidden">
          <Key className="bg-bar" word="succeeded" />
          <Key className="hatched bg-amber" word="rate limited" />
          <Key className="bg-red" word="failed" />
        </span>
      </div>
      {connectors.length === 0 ? (
        <p className="border-line border-b px-4 py-3 text-t2">
          No carrier was called in the last five minutes, and none is due.
        </p>
      ) : (
        <Table
          caption="Carriers, worst first"
          columns={columns}
          rows={worstFirst(state).flatMap((one): Row[] =>
            opened.has(one.connector) ? [one, { ...one, isFacts: true }] : [one],
          )}
          rowKey={({ connector, isFacts }) => (isFacts ? `${connector} facts` : connector)}
          rowClassName={({ isFacts }) => (isFacts ? 'bg-sunk' : 'h-8')}
        />
      )}
    </section>
  );
}

function Key({ className, word }: { className: string; word: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 rounded-bar ${className}`} />
      {word}
    </span>
  );
}

function Standing({ one, isSlow }: { one: WireConnector; isSlow: boolean }) {
  const { sign, word } = standing(one, isSlow);
  return (
    <span className="flex items-center gap-2">
      <StandingMark sign={sign} />
      <span className={sign === 'good' || sign === 'none' ? 'text-t2' : ''}>{word}</span>
    </span>
  );
}

function Success({ one: { requests, succeeded } }: { one: WireConnector }) {
  if (requests === 0) return none;
  const share = succeeded / requests;
  const colour = share >= 0.99 ? 'text-t2' : share < 0.95 ? 'text-red' : 'text-amber';
  return <span className={`tabular-nums ${colour}`}>{shareWords(share)}</span>;
}

function ConnectorFacts({ one }: { one: WireConnector }) {
  return (
    <dl className="grid py-2 grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-x-6 gap-y-2 text-label">
      {factsOfConnector(one).map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-t3">{name}</dt>
          <dd className="break-words tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function number(count: number) {
  return count === 0 ? none : <span className={quiet}>{count.toLocaleString(numberLocale())}</span>;
}

function duration(ms: number | null, isSlow = false) {
  if (ms === null) return none;
  return <span className={isSlow ? 'text-amber tabular-nums' : quiet}>{durationWords(ms)}</span>;
}
