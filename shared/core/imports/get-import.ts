import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Import, ImportError, RowSeverity } from '#shared/domain/registration/import.ts';
import { listImportErrors as listStored } from '#shared/store/imports/import-chunks.ts';
import { listImports as listStoredImports, readImport } from '#shared/store/imports/imports.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Throws LandfallError `import_not_found`. */
export async function getImport(ctx: CoreContext, caller: Caller, importId: string): Promise<Import> {
  const subject = { id: importId, test: caller.test };
  const found = await withAccount(ctx.store, caller.accountId, (tx) => readImport(tx, caller.accountId, subject));
  if (found === null) throw new LandfallError('import_not_found', 'Import not found.');
  return found;
}

/** `after`: the uuid of the last import of the previous page. */
export type ImportPage = { limit: number; after: string | null };

/** One page of the account's imports, newest first. A test key sees those of test keys only. */
export async function listImports(
  ctx: CoreContext,
  { accountId, test }: Caller,
  { limit, after }: ImportPage,
): Promise<{ imports: Import[]; hasMore: boolean }> {
  const found = await withAccount(ctx.store, accountId, (tx) =>
    listStoredImports(tx, accountId, { test, after, limit: limit + 1 }),
  );
  return { imports: found.slice(0, limit), hasMore: found.length > limit };
}

const pageSize = 500;
/** A row has up to 64 KiB: 500 of them would take 32 MB per reader. */
const pageBytes = 1024 * 1024;

/**
 * The failed or warned rows of an import so far, in order, or the first `limit` of them. Reads a page when the previous
 * one has been consumed.
 */
export async function* listImportErrors(
  ctx: CoreContext,
  caller: Caller,
  { importId, severities, limit }: { importId: string; severities: readonly RowSeverity[]; limit: number | null },
): AsyncGenerator<ImportError[]> {
  let after = 0;
  let left = limit ?? Number.POSITIVE_INFINITY;
  while (left > 0) {
    const page = { importId, severities, after, limit: Math.min(pageSize, left), limitBytes: pageBytes };
    const errors = await withAccount(ctx.store, caller.accountId, (tx) => listStored(tx, caller.accountId, page));
    const last = errors.at(-1);
    if (last === undefined) return;
    yield errors;
    after = last.rowNumber;
    left -= errors.length;
  }
}
