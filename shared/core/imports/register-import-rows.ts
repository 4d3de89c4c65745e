import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Warning } from '#shared/domain/record/shipment.ts';
import { onlyStated } from '#shared/domain/record/stated-fields.ts';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';
import type { ShipmentUpdate } from '#shared/domain/registration/shipment-update.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { type PreparedRegistration, prepareRegistration } from '../registration/prepare-registration.ts';
import { type RowResult, registerRows } from '../registration/register-rows.ts';
import { runVerbIn } from '../shipments/run-verb.ts';
import { updateWith } from '../shipments/update-shipment.ts';

/**
 * Request of a row: a registration, an update of the shipment that it names (a uuid), or the reason why it can't be
 * read.
 */
export type ImportRow = SentRegistration | { shipmentId: string; update: ShipmentUpdate } | LandfallError;

export type ImportRowResult =
  | { outcome: 'created' | 'existing' | 'updated'; warnings: readonly Warning[] }
  | { outcome: 'failed'; error: LandfallError };

type RowsWork = {
  ctx: CoreContext;
  caller: Pick<Caller, 'accountId' | 'test'>;
  rows: readonly ImportRow[];
  /** Rows change the client's fields of a shipment that their number or reference names. */
  updates: boolean;
};

type Verb = ReturnType<typeof updateWith>;
type Prepared = PreparedRegistration | LandfallError;

/**
 * Registers rows in the transaction of the caller, as a batch would, and makes the updates: of rows that name a
 * shipment, and with `updates` of rows whose shipment exists.
 */
export async function registerImportRows(tx: Tx, { ctx, caller, rows, updates }: RowsWork): Promise<ImportRowResult[]> {
  const traceparent = ctx.traceparent();
  const registered = rows.flatMap((row, place) =>
    row instanceof LandfallError || 'shipmentId' in row ? [] : [{ place, prepared: prepareRegistration(caller, row) }],
  );
  const { results: outcomes } = await registerRows(tx, {
    hurried: false,
    ctx,
    caller,
    rows: registered.map(({ prepared }) => ({ prepared, traceparent })),
  });
  const results: ImportRowResult[] = [];
  for (const [index, { place, prepared }] of registered.entries()) {
    const outcome = outcomes[index];
    if (outcome !== undefined) results[place] = await settleRegistered(outcome, prepared);
  }
  for (const [place, row] of rows.entries()) {
    if (row instanceof LandfallError) results[place] = { outcome: 'failed', error: row };
    else if ('shipmentId' in row) results[place] = await change(row.shipmentId, updateWith(row.update), []);
  }
  return results;

  async function settleRegistered(outcome: RowResult, prepared: Prepared): Promise<ImportRowResult> {
    const subject = updates && !(prepared instanceof LandfallError) ? subjectOf(outcome, prepared) : null;
    const warnings = outcome.outcome === 'failed' ? [] : outcome.warnings;
    if (subject !== null) return change(subject.shipmentId, subject.verb, warnings);
    return outcome.outcome === 'failed' ? outcome : { outcome: outcome.outcome, warnings };
  }

  async function change(shipmentId: string, verb: Verb, warnings: readonly Warning[]): Promise<ImportRowResult> {
    try {
      const { isChanged } = await runVerbIn(tx, ctx, { caller, shipmentId }, verb);
      return { outcome: isChanged ? 'updated' : 'existing', warnings };
    } catch (error) {
      // An update is refused before anything is written.
      if (error instanceof LandfallError && error.code !== 'unavailable') return { outcome: 'failed', error };
      throw error;
    }
  }
}

/** The existing shipment of a row and the update that the row makes: found by a number, or by the reference alone. */
function subjectOf(
  outcome: RowResult,
  { registration }: PreparedRegistration,
): { shipmentId: string; verb: Verb } | null {
  const { transportMode, carrier, identifiers } = registration;
  // Its references have joined those of the shipment, or do so now: another row may have brought the others.
  const { references, ...stated } = onlyStated(registration);
  const update: ShipmentUpdate = { ...stated, ...(references && { referencesAdd: references }) };
  if (outcome.outcome === 'existing') return { shipmentId: outcome.shipmentId, verb: updateWith(update) };
  if (outcome.outcome !== 'failed' || outcome.error.code !== 'reference_conflict') return null;
  const { error } = outcome;
  const holder = decodeTypeId('shp', error.shipmentIds[0] ?? '');
  if (holder === null) return null;
  const updated = updateWith({ ...update, identifiers: { ...identifiers } });
  return {
    shipmentId: holder,
    // Another carrier doesn't know the row's number.
    verb: async (subject) => {
      const { shipment } = subject;
      if (shipment.carrier !== carrier || shipment.transportMode !== transportMode) throw error;
      return updated(subject);
    },
  };
}
