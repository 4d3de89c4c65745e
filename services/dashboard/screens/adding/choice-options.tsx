import type { ReactNode } from 'react';
import { type Carrier, carriers } from '#shared/domain/carriers/carrier-catalogue.ts';
import { type TransportMode, transportModes } from '#shared/domain/events/transport-mode.ts';
import { trackableKeysOf } from '#shared/domain/registration/identifiers.ts';
import { identifierWords, modeWords } from '../../parts/words/code-words.ts';
import { isPushedOnly } from './entries.ts';

export function modeOptions(): ReactNode {
  return [none('Mode'), ...transportModes.map((mode) => option(mode, modeWords[mode]))];
}

export function identifierOptions(mode: TransportMode | null): ReactNode {
  return mode === null ? none('Kind') : trackableKeysOf(mode).map((key) => option(key, identifierWords[key]));
}

/** Carriers with a connector first; events of the others are pushed. With `test` every carrier is simulated. */
export function carrierOptions(mode: TransportMode | null, { test }: { test: boolean }): ReactNode {
  const ofMode = carriersOf(mode);
  const supported = ofMode.filter(({ code }) => !isPushedOnly(code, { test }));
  const others = ofMode.filter(({ code }) => isPushedOnly(code, { test }));
  return (
    <>
      {none('Carrier')}
      {supported.map(({ code, name }) => option(code, name))}
      {others.length > 0 && (
        <optgroup label="Events are pushed">{others.map(({ code, name }) => option(code, name))}</optgroup>
      )}
    </>
  );
}

const byMode = new Map<TransportMode | null, Carrier[]>();

function carriersOf(mode: TransportMode | null): Carrier[] {
  const known = byMode.get(mode);
  if (known !== undefined) return known;
  const found = carriers
    .filter(({ modes }) => mode === null || modes.includes(mode))
    .toSorted((left, right) => left.name.localeCompare(right.name));
  byMode.set(mode, found);
  return found;
}

function none(label: string): ReactNode {
  return (
    <option key="" value="">
      {label}
    </option>
  );
}

function option(value: string, label: string): ReactNode {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  );
}
