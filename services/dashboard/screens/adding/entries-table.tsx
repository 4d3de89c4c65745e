import { Link } from '@tanstack/react-router';
import { memo, type ReactNode, useState } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { IdentifierKey } from '#shared/domain/shipments/shipment.ts';
import type { TransportMode } from '#shared/domain/shipments/transport-mode.ts';
import { identifierWords, modeWords } from '../../parts/code-words.ts';
import { Icon } from '../../parts/icon.tsx';
import { Identifier } from '../../parts/identifier.tsx';
import { StatusGlyph, WarningMark } from '../../parts/marks.tsx';
import { InlineSelect } from '../../parts/select.tsx';
import { carrierOptions, identifierOptions, modeOptions } from './choice-options.tsx';
import { type Choice, type Entry, withMode } from './entries.ts';
import type { Results, RowResult } from './plan-registration.ts';

const heads = ['Line', 'Number', 'Mode', 'Kind', 'Carrier', 'Note'];

/** What every number is taken for, one row each. */
export function EntriesTable({
  entries,
  results,
  ...rest
}: {
  entries: readonly Entry[];
  results: Results;
  test: boolean;
  locked: boolean;
  choose: (key: string, choice: Choice) => void;
}) {
  return (
    <table className="w-full border-collapse text-body max-md:block">
      <thead className="sticky top-0 z-10 bg-bg max-md:sr-only">
        <tr className="h-8 border-line border-b text-left text-label text-t3">
          {heads.map((head, index) => (
            <th
              key={head}
              scope="col"
              className={`pr-3 font-normal ${index === 0 ? 'pl-4 text-right' : index > 1 && index < 5 ? 'pl-2' : ''}`}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {entries.map((entry) => (
          <EntryRow
            key={`${entry.line} ${entry.number} ${entry.state === 'duplicate'}`}
            entry={entry}
            result={results.get(entry.key)}
            {...rest}
          />
        ))}
      </tbody>
    </table>
  );
}

type Props = {
  entry: Entry;
  result: RowResult | undefined;
  test: boolean;
  locked: boolean;
  choose: (key: string, choice: Choice) => void;
};

/** One number: what it is taken for, to be changed, and what became of it. */
export const EntryRow = memo(function EntryRow({ entry, result, test, locked, choose }: Props) {
  const { choice, number, key, line, state } = entry;
  const isFixed = locked || state === 'duplicate' || (result !== undefined && result.outcome !== 'failed');
  const named = `of ${number}, line ${line}`;
  return (
    <tr
      className={`border-line border-b align-top max-md:grid max-md:grid-cols-2 max-md:gap-x-2 max-md:px-4 max-md:py-1.5 ${state === 'duplicate' ? 'text-t3' : ''}`}
    >
      <td className="w-11 py-1.5 pr-2 pl-4 text-right text-label text-t3 leading-5 tabular-nums max-md:hidden">
        {line}
      </td>
      <td className="whitespace-nowrap py-1.5 pr-3 md:min-w-[190px] max-md:col-span-2 max-md:py-1">
        <span className="flex items-center gap-2">
          {choice.mode === null ? (
            <span className="size-4" />
          ) : (
            <Icon name={choice.mode} size={16} className="text-t2" />
          )}
          <Identifier kind={choice.identifier ?? ''} value={number} className="text-number max-md:text-body" />
        </span>
      </td>
      <td className="w-[104px] py-0.5 pr-2 xl:min-w-[134px] max-md:w-auto">
        <LazySelect
          eager
          label={`Mode ${named}`}
          className="w-full"
          value={choice.mode ?? ''}
          shown={choice.mode === null ? 'Mode' : modeWords[choice.mode]}
          wrong={choice.mode === null}
          disabled={isFixed}
          onChoose={(mode) => mode !== '' && choose(key, withMode(choice, mode as TransportMode))}
          options={modeOptions}
        />
      </td>
      <td className="w-[140px] py-0.5 pr-2 xl:min-w-[158px] max-md:w-auto">
        <LazySelect
          eager
          label={`Kind ${named}`}
          className="w-full"
          value={choice.identifier ?? ''}
          shown={choice.identifier === null ? 'Kind' : identifierWords[choice.identifier]}
          disabled={isFixed || choice.mode === null}
          onChoose={(identifier) => choose(key, { ...choice, identifier: identifier as IdentifierKey })}
          options={() => identifierOptions(choice.mode)}
        />
      </td>
      <td className="w-[184px] py-0.5 pr-3 xl:min-w-[208px] max-md:col-span-2 max-md:w-auto max-md:pr-2">
        <LazySelect
          eager={choice.mode !== null && choice.carrier === null}
          label={`Carrier ${named}`}
          className="w-full"
          value={choice.carrier ?? ''}
          shown={choice.carrier === null ? 'Carrier' : (findCarrier(choice.carrier)?.name ?? choice.carrier)}
          wrong={choice.mode !== null && choice.carrier === null && state !== 'duplicate'}
          disabled={isFixed || choice.mode === null}
          onChoose={(carrier) => choose(key, { ...choice, carrier: carrier === '' ? null : carrier })}
          options={() => carrierOptions(choice.mode, { test })}
        />
      </td>
      <td className="py-1.5 pr-4 md:w-full max-md:col-span-2 max-md:py-1 max-md:empty:hidden">
        <Note entry={entry} result={result} />
      </td>
    </tr>
  );
});

function Note({ entry, result }: { entry: Entry; result: RowResult | undefined }) {
  if (result?.outcome === 'failed') {
    return (
      <span className="flex items-start gap-1.5 text-t1">
        <span className="mt-[3px]">
          <WarningMark severity="critical" />
        </span>
        <span>
          Refused: {result.detail}
          {result.shipmentIds.map((shipmentId) => (
            <ShipmentLink key={shipmentId} shipmentId={shipmentId} words="See the other" />
          ))}
        </span>
      </span>
    );
  }
  if (result !== undefined) {
    return (
      <span className="flex items-center gap-1.5">
        <StatusGlyph status={result.outcome === 'created' ? 'delivered' : 'booked'} />
        <span className="text-t2">{result.outcome === 'created' ? 'Registered' : 'Was there already'}</span>
        <ShipmentLink shipmentId={result.shipmentId} words="Open" />
      </span>
    );
  }
  const told = entry.problem ?? entry.warning;
  if (told === null) return null;
  if (entry.state === 'duplicate')
    return <span className="text-t3">{told.charAt(0).toUpperCase() + told.slice(1)}</span>;
  return (
    <span className="flex items-start gap-1.5 text-t2">
      <span className="mt-[3px]">
        <WarningMark severity={entry.state === 'malformed' ? 'critical' : 'warning'} />
      </span>
      {told}
    </span>
  );
}

function ShipmentLink({ shipmentId, words }: { shipmentId: string; words: string }) {
  return (
    <Link
      to="/shipments/$shipmentId"
      params={{ shipmentId }}
      className="ml-1.5 text-accent underline-offset-2 hover:underline"
    >
      {words}
    </Link>
  );
}

type SelectProps = {
  label: string;
  value: string;
  /** What the value reads as while nobody has come near. */
  shown: string;
  wrong?: boolean;
  disabled?: boolean;
  className?: string;
  /** Its choices are there from the beginning: they are few, or somebody has to choose. */
  eager?: boolean;
  onChoose: (value: string) => void;
  /** The choices, made when they are needed: hundreds of menus stand on one page. */
  options: () => ReactNode;
};

/** A menu that may have its choices from the first touch on only. */
export function LazySelect({ value, shown, eager = false, onChoose, options, ...rest }: SelectProps) {
  const [isNear, setNear] = useState(false);
  return (
    <InlineSelect
      quiet
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
