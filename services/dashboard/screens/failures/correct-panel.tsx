import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { type TransportMode, transportModes } from '#shared/domain/events/transport-mode.ts';
import type { IdentifierKey } from '#shared/domain/record/shipment.ts';
import { identifierKeysOf, parseIdentifiers } from '#shared/domain/registration/identifiers.ts';
import { call, chosen } from '../../api/call.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { Button } from '../../parts/button.tsx';
import { PanelDialog } from '../../parts/dialogs/panel-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Identifier } from '../../parts/identifier.tsx';
import { TextField } from '../../parts/inputs/text-field.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { identifierWords } from '../../parts/words/code-words.ts';
import type { FailedShipment } from './group-failures.ts';

type Props = { shipment: FailedShipment | null; left: number; next: () => void; close: () => void };

/**
 * Corrects a number by which the carrier does not know a shipment, or adds another one; several shipments one after the
 * other. The shipment keeps its reference, tags and everything else.
 */
export function CorrectPanel({ shipment, left, next, close }: Props) {
  return (
    <PanelDialog
      title="Correct numbers"
      note={left > 1 && <span className="text-t3 tabular-nums">{left} left</span>}
      isOpen={shipment !== null}
      width="w-[400px]"
      close={close}
    >
      {shipment !== null && <Form key={shipment.shipment_id} shipment={shipment} next={next} isLast={left < 2} />}
    </PanelDialog>
  );
}

function Form({ shipment, next, isLast }: { shipment: FailedShipment; next: () => void; isLast: boolean }) {
  const queryClient = useQueryClient();
  const { shipment_id: shipmentId, identifiers, carrier } = shipment;
  const mode = transportModes.find((each) => each === shipment.transport_mode) ?? 'ocean';
  const present = Object.entries(identifiers as Record<string, string | null>).flatMap(([key, value]) =>
    value === null ? [] : [{ key: key as IdentifierKey, value }],
  );
  // Events that the carrier reported belong to the number, so the API keeps it then.
  const isFixed = shipment.latest_event !== null && shipment.latest_event.source !== 'client';
  const [values, setValues] = useState<Partial<Record<IdentifierKey, string>>>(() =>
    isFixed ? {} : Object.fromEntries(present.map(({ key, value }) => [key, value])),
  );
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const missing = identifierKeysOf(mode).filter(
    (key) => !present.some(({ key: has }) => has === key) && key !== 'equipment',
  );
  const entries = Object.entries(values) as [IdentifierKey, string][];
  const before = (key: IdentifierKey) => present.find((one) => one.key === key)?.value ?? '';
  const changed = Object.fromEntries(entries.filter(([key, value]) => value.trim() !== before(key)));
  const mistakeIn = (key: IdentifierKey) => {
    const value = values[key] ?? '';
    if (value.trim() === before(key)) return null;
    if (value.trim() === '') return 'Enter the right number. A number can be replaced, not removed.';
    return mistakeOf(mode, key, value);
  };
  const act = async (verb: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await verb();
      next();
      void queryClient.invalidateQueries({ queryKey: ['failures'] });
      void queryClient.invalidateQueries({ queryKey: ['overview'] });
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const save = async () => {
    await call('updateShipment', { params: { shipment_id: shipmentId }, body: { identifiers: changed } });
    await resume(shipment);
  };
  const field = (key: IdentifierKey) => (
    <TextField
      key={key}
      label={identifierWords[key]}
      value={values[key] ?? ''}
      autoComplete="off"
      spellCheck={false}
      className="[&_input]:font-mono"
      error={mistakeIn(key)}
      hint={values[key] === before(key) ? undefined : hintOf(mode, key, values[key] ?? '', carrier)}
      onChange={({ target }) => setValues({ ...values, [key]: target.value })}
    />
  );
  return (
    <form
      className="flex min-h-full flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void act(save);
      }}
    >
      <Facts
        columns="grid-cols-[120px_minmax(0,1fr)]"
        rows={{
          Carrier: findCarrier(carrier)?.name ?? carrier,
          Reference: shipment.reference,
          ...(isFixed
            ? Object.fromEntries(
                present.map(({ key, value }) => [
                  identifierWords[key],
                  <Identifier key={key} kind={key} value={value} />,
                ]),
              )
            : {}),
        }}
      />
      {!isFixed && present.map(({ key }) => field(key))}
      {missing.length > 0 && (
        <p className="text-t2">{isFixed ? 'Another number for the same shipment:' : 'Or another number for it:'}</p>
      )}
      {missing.map(field)}
      <p className="text-t2">
        {isFixed ? (
          <>
            {findCarrier(carrier)?.name ?? carrier} has reported events for the present number, so it can’t be
            corrected. If it is wrong,{' '}
            <Link to="/add" className="text-accent underline-offset-2 hover:underline">
              register the right one
            </Link>{' '}
            and archive this shipment.
          </>
        ) : (
          'The shipment keeps its reference, tags and metadata. Tracking starts again with the corrected number.'
        )}
      </p>
      {error !== null && <ProblemNote error={error} />}
      <div className="mt-auto flex flex-wrap justify-end gap-2 pt-4">
        <Button
          kind="quiet"
          className="mr-auto"
          busy={isBusy}
          onClick={() => act(() => call('archiveShipment', { params: { shipment_id: shipmentId } }))}
        >
          Archive
        </Button>
        {!isLast && <Button onClick={next}>Skip</Button>}
        <Button
          kind="primary"
          type="submit"
          busy={isBusy}
          disabled={Object.keys(changed).length === 0 || entries.some(([key]) => mistakeIn(key) !== null)}
        >
          Save and resume tracking
        </Button>
      </div>
    </form>
  );
}

/** The new number may have resumed tracking already. */
async function resume({ shipment_id: shipmentId, tracking }: FailedShipment): Promise<void> {
  try {
    await (tracking.state === 'failed'
      ? call('resumeShipment', { params: { shipment_id: shipmentId } })
      : call('refreshShipment', { params: { shipment_id: shipmentId } }));
  } catch (error) {
    if (!(error instanceof ProblemError && ['refresh_too_soon', 'invalid_state'].includes(error.code))) throw error;
  }
}

function mistakeOf(mode: TransportMode, key: IdentifierKey, value: string): string | null {
  if (value.trim() === '') return null;
  return (
    parseIdentifiers(mode, { [key]: value }, { serviceType: null, test: chosen.mode === 'test' }).mistakes[0]?.detail ??
    null
  );
}

function hintOf(mode: TransportMode, key: IdentifierKey, value: string, carrier: string): string | undefined {
  if (value.trim() === '') return undefined;
  return parseIdentifiers(mode, { [key]: value }, { serviceType: null, test: chosen.mode === 'test', carrier })
    .warnings[0]?.detail;
}
