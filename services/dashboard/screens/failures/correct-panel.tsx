import { Dialog } from '@base-ui/react/dialog';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { identifierKeysOf, parseIdentifiers } from '#shared/domain/registration/identifiers.ts';
import type { IdentifierKey } from '#shared/domain/shipments/shipment.ts';
import { type TransportMode, transportModes } from '#shared/domain/shipments/transport-mode.ts';
import { call, chosen } from '../../api/call.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { identifierWords } from '../../parts/code-words.ts';
import { Identifier } from '../../parts/identifier.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { FailedShipment } from './group-failures.ts';

type Props = { shipment: FailedShipment | null; left: number; next: () => void; close: () => void };

/** Another number for a shipment that its carrier does not know by the present one; several one after the other. */
export function CorrectPanel({ shipment, left, next, close }: Props) {
  return (
    <Dialog.Root open={shipment !== null} onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup className="fixed inset-y-0 right-0 z-50 flex w-[400px] max-w-full flex-col overflow-auto border-line2 border-l bg-bg outline-none">
          <header className="flex min-h-[52px] items-center gap-2 border-line border-b px-5">
            <Dialog.Title className="text-title font-semibold tracking-[-0.01em]">Correct the numbers</Dialog.Title>
            {left > 1 && <span className="text-t3 tabular-nums">{left} to go</span>}
            <Dialog.Close render={<IconButton icon="close" label="Close" className="ml-auto" />} />
          </header>
          {shipment !== null && <Form key={shipment.shipment_id} shipment={shipment} next={next} isLast={left < 2} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Form({ shipment, next, isLast }: { shipment: FailedShipment; next: () => void; isLast: boolean }) {
  const queryClient = useQueryClient();
  const [values, setValues] = useState<Partial<Record<IdentifierKey, string>>>({});
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const { shipment_id: shipmentId, identifiers, carrier } = shipment;
  const mode = transportModes.find((each) => each === shipment.transport_mode) ?? 'ocean';
  const present = Object.entries(identifiers as Record<string, string | null>).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value }],
  );
  const missing = identifierKeysOf(mode).filter(
    (key) => !present.some(({ key: has }) => has === key) && key !== 'equipment',
  );
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  const act = async (verb: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await verb();
      next();
      void queryClient.invalidateQueries({ queryKey: ['failures'] });
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const save = async () => {
    await call('updateShipment', { params: { shipment_id: shipmentId }, body: { identifiers: given } });
    await followAgain(shipment);
  };
  return (
    <form
      className="flex flex-1 flex-col gap-4 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        void act(save);
      }}
    >
      <dl className="grid grid-cols-[120px_1fr] gap-y-1">
        <dt className="text-t2">Carrier</dt>
        <dd>{findCarrier(carrier)?.name ?? carrier}</dd>
        {present.map(({ key, value }) => (
          <div key={key} className="contents">
            <dt className="text-t2">{identifierWords[key as IdentifierKey] ?? key}</dt>
            <dd>
              <Identifier kind={key} value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {missing.length > 0 && <p className="text-t2">Another number of the same shipment, from your document:</p>}
      {missing.map((key) => (
        <TextField
          key={key}
          label={identifierWords[key]}
          value={values[key] ?? ''}
          autoComplete="off"
          spellCheck={false}
          className="[&_input]:font-mono"
          error={mistakeOf(mode, key, values[key] ?? '')}
          hint={hintOf(mode, key, values[key] ?? '', carrier)}
          onChange={({ target }) => setValues({ ...values, [key]: target.value })}
        />
      ))}
      <p className="text-t2">
        A number that is there cannot be changed: it says which shipment this is. If it is wrong,{' '}
        <Link to="/add" className="text-accent underline-offset-2 hover:underline">
          register the right one
        </Link>{' '}
        and archive this one.
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
          disabled={
            Object.keys(given).length === 0 || missing.some((key) => mistakeOf(mode, key, values[key] ?? '') !== null)
          }
        >
          Save and follow again
        </Button>
      </div>
    </form>
  );
}

/** The change itself may have put it back into the queue; then there is nothing left to do. */
async function followAgain({ shipment_id: shipmentId, tracking }: FailedShipment): Promise<void> {
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
