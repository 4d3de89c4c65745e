import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { NamedPerson, Note } from '#shared/domain/notes/note.ts';
import { listPresentPeople } from '#shared/store/auth/account-directory.ts';
import { readNotes } from '#shared/store/notes/notes.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/**
 * One page of the notes on a shipment, newest first, `after` the note with that id. Throws LandfallError
 * `shipment_not_found`.
 */
export function listNotes(
  ctx: CoreContext,
  { accountId, test }: Caller,
  { shipmentId, after, limit }: { shipmentId: string; after: string | null; limit: number },
): Promise<{ notes: Note[]; hasMore: boolean }> {
  return withAccount(ctx.store, accountId, async (tx) => {
    if ((await readShipment(tx, accountId, { id: shipmentId, test })) === null)
      throw new LandfallError('shipment_not_found', 'Shipment not found.');
    const found = await readNotes(tx, accountId, { shipmentId, before: after, limit: limit + 1 });
    return { notes: found.slice(0, limit), hasMore: found.length > limit };
  });
}

/** The members of the account by name: whom notes can mention and shipments be assigned to. */
export function listPeople(ctx: CoreContext, { accountId }: Caller): Promise<NamedPerson[]> {
  return withAccount(ctx.store, accountId, (tx) => listPresentPeople(tx, accountId));
}
