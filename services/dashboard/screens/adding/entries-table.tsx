import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { IdentifierKey } from '#shared/domain/record/shipment.ts';
import { Icon } from '../../parts/icon.tsx';
import { Identifier } from '../../parts/identifier.tsx';
import { InlineSelect } from '../../parts/inputs/select.tsx';
import { StatusGlyph, WarningMark } from '../../parts/status-icons.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { capital, identifierWords, modeWords } from '../../parts/words/code-words.ts';
import { carrierOptions, identifierOptions, modeOptions } from './choice-options.tsx';
import { type Choice, type Entry, withMode } from './entries.ts';
import type { Results, RowResult } from './plan-registration.ts';

type Props = {
  entries: readonly Entry[];
  results: Results;
  test: boolean;
  locked: boolean;
  choose: (key: string, choice: Choice) => void;
};

/** One row per number: what it was recognized as, which can be changed, and the result of its registration. */
export function EntriesTable({ entries, ...rest }: Props) {
  const { results, test, locked, choose } = rest;
  const columns = useMemo(() => columnsOf({ results, test, locked, choose }), [results, test, locked, choose]);
  return (
    <Table
      caption="Numbers"
      columns={columns}
      rows={entries}
      rowKey={({ line, number, state }) => `${line} ${number} ${state === 'duplicate'}`}
      rowClassName={({ state }) =>
        `align-top max-md:grid-cols-2 max-md:gap-x-2 ${state === 'duplicate' ? 'text-t3' : ''}`
      }
      head="sticky"
      narrow="stacked"
    />
  );
}

function columnsOf({ results, test, locked, choose }: Omit<Props, 'entries'>): readonly Column<Entry>[] {
  const isFixed = ({ key, state }: Entry) => {
    const result = results.get(key);
    return locked || state === 'duplicate' || (result !== undefined && result.outcome !== 'failed');
  };
  const labelOf = ({ number, line }: Entry, name: string) => `${name} of ${number}, line ${line}`;
  return [
    {
      key: 'line',
      name: 'Line',
      className: 'w-11 text-right max-md:hidden',
      cellClassName: 'py-1.5 text-label text-t3 leading-5 tabular-nums',
      cell: ({ line }) => line,
    },
    {
      key: 'number',
      name: 'Number',
      className: 'md:min-w-[190px] max-md:col-span-2',
      cellClassName: 'whitespace-nowrap py-1.5 max-md:py-1',
      cell: ({ choice, number }) => (
        <span className="flex items-center gap-2">
          {choice.mode === null ? (
            <span className="size-4" />
          ) : (
            <Icon name={choice.mode} size={16} className="text-t2" />
          )}
          <Identifier kind={choice.identifier ?? ''} value={number} className="text-number max-md:text-body" />
        </span>
      ),
    },
    {
      key: 'mode',
      name: 'Mode',
      className: 'w-[112px] xl:min-w-[142px] max-md:w-auto',
      cellClassName: 'py-0.5',
      cell: (entry) => (
        <LazySelect
          eager
          label={labelOf(entry, 'Mode')}
          value={entry.choice.mode ?? ''}
          shown={entry.choice.mode === null ? 'Mode' : modeWords[entry.choice.mode]}
          wrong={entry.choice.mode === null}
          disabled={isFixed(entry)}
          onChoose={(mode) => mode !== '' && choose(entry.key, withMode(entry.choice, mode as TransportMode))}
          options={modeOptions}
        />
      ),
    },
    {
      key: 'kind',
      name: 'Kind',
      className: 'w-[148px] xl:min-w-[166px] max-md:w-auto',
      cellClassName: 'py-0.5',
      cell: (entry) => (
        <LazySelect
          eager
          label={labelOf(entry, 'Kind')}
          value={entry.choice.identifier ?? ''}
          shown={entry.choice.identifier === null ? 'Kind' : identifierWords[entry.choice.identifier]}
          disabled={isFixed(entry) || entry.choice.mode === null}
          onChoose={(identifier) => choose(entry.key, { ...entry.choice, identifier: identifier as IdentifierKey })}
          options={() => identifierOptions(entry.choice.mode)}
        />
      ),
    },
    {
      key: 'carrier',
      name: 'Carrier',
      className: 'w-[196px] xl:min-w-[220px] max-md:col-span-2 max-md:w-auto',
      cellClassName: 'py-0.5',
      cell: (entry) => {
        const { mode, carrier } = entry.choice;
        return (
          <LazySelect
            eager={mode !== null && carrier === null}
            label={labelOf(entry, 'Carrier')}
            value={carrier ?? ''}
            shown={carrier === null ? 'Carrier' : (findCarrier(carrier)?.name ?? carrier)}
            wrong={mode !== null && carrier === null && entry.state !== 'duplicate'}
            disabled={isFixed(entry) || mode === null}
            onChoose={(next) => choose(entry.key, { ...entry.choice, carrier: next === '' ? null : next })}
            options={() => carrierOptions(mode, { test })}
          />
        );
      },
    },
    {
      key: 'note',
      name: 'Result',
      className: 'md:w-full max-md:col-span-2',
      cellClassName: 'py-1.5 max-md:py-1 max-md:empty:hidden',
      cell: (entry) => <Note entry={entry} result={results.get(entry.key)} />,
    },
  ];
}

type SelectProps = {
  label: string;
  value: string;
  /** The text of the value until the options exist. */
  shown: string;
  wrong?: boolean;
  disabled?: boolean;
  /** The options exist from the start: there are few, or one must be chosen. */
  eager?: boolean;
  onChoose: (value: string) => void;
  options: () => ReactNode;
};

/** A select whose options are created on the first interaction: a page has hundreds of selects. */
function LazySelect({ value, shown, eager = false, onChoose, options, ...rest }: SelectProps) {
  const [isNear, setNear] = useState(false);
  return (
    <InlineSelect
      quiet
      className="w-full"
      value={value}
      onPointerEnter={() => setNear(true)}
      onPointerDown={() => setNear(true)}
      onFocus={() => setNear(true)}
      onChange={(event) => onChoose(event.target.value)}
      {...rest}
    >
      {isNear || eager ? options() : <option value={value}>{shown}</option>}
    </InlineSelect>
  );
}

function Note({ entry, result }: { entry: Entry; result: RowResult | undefined }) {
  if (result?.outcome === 'failed') {
    return (
      <span className="flex items-start gap-1.5 text-t1">
        <span className="mt-[3px]">
          <WarningMark severity="critical" />
        </span>
        <span>
          Rejected: {result.detail}
          {result.shipmentIds.map((shipmentId) => (
            <ShipmentLink key={shipmentId} shipmentId={shipmentId} text="Open existing shipment" />
          ))}
        </span>
      </span>
    );
  }
  if (result !== undefined) {
    return (
      <span className="flex items-center gap-1.5">
        <StatusGlyph status={result.outcome === 'created' ? 'delivered' : 'booked'} />
        <span className="text-t2">{result.outcome === 'created' ? 'Registered' : 'Already tracked'}</span>
        <ShipmentLink shipmentId={result.shipmentId} text="Open" />
      </span>
    );
  }
  const text = entry.problem ?? entry.warning;
  if (text === null) return entry.isPushed ? <PushedNote carrier={entry.choice.carrier ?? ''} /> : null;
  if (entry.state === 'duplicate') return <span className="text-t3">{capital(text)}</span>;
  return (
    <span className="flex items-start gap-1.5 text-t2">
      <span className="mt-[3px]">
        <WarningMark severity={entry.state === 'malformed' ? 'critical' : 'warning'} />
      </span>
      {text}
    </span>
  );
}

/** The carrier is known and nobody polls it. */
function PushedNote({ carrier }: { carrier: string }) {
  return (
    <span className="text-t2">
      Events are pushed: Landfall has no connector for {findCarrier(carrier)?.name ?? carrier}.{' '}
      <Link to="/developers" hash="push-events" className="text-accent underline-offset-2 hover:underline">
        How to push
      </Link>
    </span>
  );
}

function ShipmentLink({ shipmentId, text }: { shipmentId: string; text: string }) {
  return (
    <Link
      to="/shipments/$shipmentId"
      params={{ shipmentId }}
      className="ml-1.5 text-accent underline-offset-2 hover:underline"
    >
      {text}
    </Link>
  );
}
