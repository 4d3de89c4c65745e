import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Import } from '#shared/domain/imports/import.ts';
import { readImport } from '#shared/store/imports/imports.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Throws LandfallError `import_not_found`. */
export async function getImport(ctx: CoreContext, caller: Caller, importId: string): Promise<Import> {
  const subject = { id: importId, test: caller.test };
  const found = await withAccount(ctx.store, caller.accountId, (tx) => readImport(tx, caller.accountId, subject));
  if (found === null) throw new LandfallError('import_not_found', 'There is no import with this id.');
  return found;
}
