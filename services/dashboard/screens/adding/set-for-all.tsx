import { useState } from 'react';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { IdentifierKey } from '#shared/domain/record/shipment.ts';
import { Button } from '../../parts/button.tsx';
import { InlineSelect } from '../../parts/inputs/select.tsx';
import { carrierOptions, identifierOptions, modeOptions } from './choice-options.tsx';
import { type Choice, type Entry, withMode } from './entries.ts';

/** Sets mode, kind and carrier of all incomplete numbers at once. */
export function SetForAll({
  entries,
  test,
  setAll,
}: {
  entries: readonly Entry[];
  test: boolean;
  setAll: (choices: [string, Choice][]) => void;
}) {
  const [chosen, setChosen] = useState<Choice>({ mode: null, identifier: null, carrier: null });
  const incomplete = entries.filter(({ state }) => state === 'incomplete');
  if (incomplete.length < 2) return null;
  const apply = () =>
    setAll(
      incomplete.map((entry) => {
        // An entry with the same mode lacks only the carrier.
        if (entry.choice.mode !== null && entry.choice.mode === chosen.mode)
          return [entry.key, { ...entry.choice, carrier: chosen.carrier }];
        return [entry.key, chosen];
      }),
    );
  return (
    <fieldset className="flex flex-wrap items-center gap-2 border-line border-b bg-sunk px-4 py-2">
      <legend className="float-left mr-2 contents text-body text-t2">
        {incomplete.length} numbers are incomplete. Set all to:
      </legend>
      <InlineSelect
        label="Mode for all"
        className="w-[120px]"
        value={chosen.mode ?? ''}
        onChange={({ target }) => target.value !== '' && setChosen(withMode(chosen, target.value as TransportMode))}
      >
        {modeOptions()}
      </InlineSelect>
      <InlineSelect
        label="Kind for all"
        className="w-[140px]"
        value={chosen.identifier ?? ''}
        disabled={chosen.mode === null}
        onChange={({ target }) => setChosen({ ...chosen, identifier: target.value as IdentifierKey })}
      >
        {identifierOptions(chosen.mode)}
      </InlineSelect>
      <InlineSelect
        label="Carrier for all"
        className="w-[184px]"
        value={chosen.carrier ?? ''}
        disabled={chosen.mode === null}
        onChange={({ target }) => setChosen({ ...chosen, carrier: target.value === '' ? null : target.value })}
      >
        {carrierOptions(chosen.mode, { test })}
      </InlineSelect>
      <Button disabled={chosen.mode === null || chosen.carrier === null} onClick={apply}>
        Apply
      </Button>
    </fieldset>
  );
}
