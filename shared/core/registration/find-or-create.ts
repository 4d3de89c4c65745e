import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { findByReference } from '#shared/store/shipments/shipments.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { type CreatedShipment, createShipments } from './create-shipments.ts';
import { addToExisting, findExisting } from './existing-shipment.ts';
import type { Intake } from './registration-intake.ts';
import { ReferenceTaken } from './retry-lost-races.ts';

export type LoneRow = {
  ctx: CoreContext;
  caller: Pick<Caller, 'accountId' | 'test'>;
  intake: Intake;
  traceparent: string | null;
  now: Date;
  createdAt: Date;
};

/** Gives the open shipment that one registration is about, with the identifiers it lacked, or makes it. */
export async function findOrCreate(
  tx: Tx,
  work: LoneRow,
): Promise<CreatedShipment & { outcome: 'created' | 'existing' }> {
  const { caller, intake } = work;
  const { reference } = intake.registration;
  let existing = await findExisting(tx, caller, intake.registration);
  if (reference !== null) {
    const holder = await findByReference(tx, caller.accountId, { reference, test: caller.test });
    // A racing registration of the same shipment may have been committed between the two refreshes.
    if (holder !== null && existing === null) existing = await findExisting(tx, caller, intake.registration);
    if (holder !== null && holder !== existing) {
      throw new LandfallError('reference_conflict', 'Another shipment has this reference.', {
        shipmentIds: [encodeTypeId('shp', holder)],
      });
    }
  }
  if (existing === null) return { outcome: 'created', ...(await create(tx, work)) };
  const shipment = await addToExisting(tx, { caller, intake, shipmentId: existing, traceparent: work.traceparent });
  return { outcome: 'existing', shipment, connector: intake.connector, leased: false };
}

async function create(tx: Tx, { ctx, caller, intake, traceparent, now, createdAt }: LoneRow): Promise<CreatedShipment> {
  const { accountId, test } = caller;
  const [created] = await createShipments(tx, {
    ctx,
    accountId,
    test,
    rows: [{ intake, traceparent }],
    now,
    createdAt,
  });
  if (created === undefined || created === null) throw new ReferenceTaken('the reference was taken at this moment');
  return created;
}
