import type { Caller } from '#shared/domain/caller.ts';
import { deleteImport as deleteStored, dropWaitingChunks, failImport } from '#shared/store/imports/end-import.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { getImport } from './get-import.ts';

/**
 * Stops an import that is running and deletes it with its failed rows. Shipments that it registered stay. Throws
 * LandfallError `import_not_found`.
 */
export async function deleteImport(ctx: CoreContext, caller: Caller, importId: string): Promise<void> {
  const { accountId } = caller;
  await getImport(ctx, caller, importId);
  // Committed first: the upload and the workers let go of the import, and none waits for the deletion.
  await withAccount(ctx.store, accountId, async (tx) => {
    await failImport(tx, accountId, { importId, reason: 'cancelled' });
    await dropWaitingChunks(tx, accountId, importId);
  });
  await withAccount(ctx.store, accountId, (tx) => deleteStored(tx, accountId, importId));
}
