import { useState } from 'react';
import { useNow } from '../../parts/hooks/use-now.ts';
import { Icon } from '../../parts/icon.tsx';
import { StandingMark } from '../../parts/marks.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { ageWords, durationWords, shareWords } from '../carriers/carrier-words.ts';
import { inTrouble, maxDueAgeS, slowOf, worstFirst } from './answer-sentence.ts';
import { factsOfConnector, standing, why } from './connector-words.ts';
import type { WireConnector, WireOperations } from './operations-state.ts';

const quiet = 'text-t2 tabular-nums';
const none = <span className="text-t3">–</span>;

/** A connector, or, in the row below it, its facts. */
type Row = WireConnector & { isFacts?: true };

/** Every carrier that was called or is due, worst first. A row opens to all that is known of it. */
export function ConnectorTable({ state }: { state: WireOperations }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const now = useNow();
  const { connectors } = state;
  const slow = slowOf(state);
  const maxCalls = Math.max(...connectors.map(({ requests }) => requests), 1);
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
      key: 'calls-last-5-min',
      name: 'Calls, last 5 min',
      className: 'w-44 max-md:hidden',
      cell: (one) => <OutcomeBar one={one} maxCalls={maxCalls} />,
    },
    { key: 'calls', name: 'Calls', className: 'text-right max-lg:hidden', cell: ({ requests }) => number(requests) },
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
        <span className="text-label text-t3">worst first, {connectors.length.toLocaleString('en')}</span>
        <span className="ml-auto flex flex-wrap items-center gap-x-4 text-label text-t2 max-md:hidden">
          <Key className="bg-bar" word="succeeded" />
          <Key className="hatched bg-amber" word="rate limited" />
          <Key className="bg-red" word="failed" />
        </span>
      </div>
      {connectors.length === 0 ? (
        <p className="border-line border-b px-4 py-3 text-t2">No carrier was called in the last hour.</p>
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

/** Calls in relation to the carrier with most calls: grey succeeded, red failed, amber hatched while rate limited. */
function OutcomeBar({ one, maxCalls }: { one: WireConnector; maxCalls: number }) {
  const failed = one.requests - one.succeeded;
  const limited = (one.closed_for_s ?? 0) > 0;
  const width = one.requests === 0 ? 0 : Math.max((one.requests / maxCalls) * 100, 2);
  return (
    <span
      role="img"
      aria-label={`${one.succeeded.toLocaleString('en')} succeeded, ${failed.toLocaleString('en')} failed${limited ? ', rate limited' : ''}`}
      className="block h-3 w-full"
    >
      <span className="flex h-full gap-px" style={{ width: `${width}%` }}>
        {one.succeeded > 0 && <span className="rounded-bar bg-bar" style={{ flexGrow: one.succeeded }} />}
        {failed > 0 && (
          <span
            className={`min-w-[3px] rounded-bar ${limited ? 'hatched bg-amber' : 'bg-red'}`}
            style={{ flexGrow: failed }}
          />
        )}
      </span>
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
  return count === 0 ? none : <span className={quiet}>{count.toLocaleString('en')}</span>;
}

function duration(ms: number | null, isSlow = false) {
  if (ms === null) return none;
  return <span className={isSlow ? 'text-amber tabular-nums' : quiet}>{durationWords(ms)}</span>;
}
