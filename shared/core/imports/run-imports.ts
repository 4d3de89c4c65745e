import { importFinished } from '#shared/domain/alerts/notice.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import {
  hasTooManyErrors,
  type Import,
  type ImportError,
  maxListedErrors,
  type RawRow,
} from '#shared/domain/registration/import.ts';
import { storableText, toRowError } from '#shared/domain/registration/storable-error.ts';
import { dropWaitingChunks, failImport } from '#shared/store/imports/end-import.ts';
import {
  type CountedImport,
  finishChunk,
  insertImportErrors,
  type LockedChunk,
  lockChunk,
  postponeChunk,
} from '#shared/store/imports/import-chunks.ts';
import { withinSavepoint } from '#shared/store/in-transaction.ts';
import { isDatabaseUnavailable } from '#shared/store/store-errors.ts';
import {
  closeInterruptedImports,
  findPendingChunks,
  forgetDoneChunks,
  type PendingChunk,
} from '#shared/store/system/claim-imports.ts';
import { type Tx, withAccount, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { appendNotice } from '../notices/notify-owners.ts';
import { isLostRace, retryLostRaces } from '../retry-lost-races.ts';
import { type ImportRow, type ImportRowResult, registerImportRows } from './register-import-rows.ts';

/** Parses stored rows by the options of their import: what each asks for, or why it can't be read. */
export type RowReader = (found: Import, rows: readonly RawRow[]) => ImportRow[];

const accountsPerRound = 16;
const forgottenPerRound = 1000;
/** After this many failures of a chunk its rows are registered one by one, so that one row can't hold up the others. */
const carefulAfter = 3;

/** `onCreated` receives the number of shipments that each committed chunk created. */
export type RunImportsOptions = { signal: AbortSignal; onCreated?: (shipments: number) => void };

/** Registers one chunk of each account that has stored rows, and returns how many. A chunk that fails is postponed. */
export async function runImports(
  ctx: CoreContext,
  read: RowReader,
  { signal, onCreated }: RunImportsOptions,
): Promise<number> {
  const pending = await withSystem(ctx.store, (tx) => findPendingChunks(tx, accountsPerRound));
  let registered = 0;
  for (const chunk of pending) {
    if (signal.aborted) break;
    try {
      const created = await registerChunk(ctx, chunk, read);
      if (created === null) continue;
      registered += 1;
      onCreated?.(created);
    } catch (error) {
      ctx.log.error(
        { err: error, importId: chunk.importId, chunk: chunk.number },
        'import chunk failed; retrying later',
      );
      // A statement timeout and an unavailable database give the same error. If the database is unavailable, this throws.
      await withAccount(ctx.store, chunk.accountId, (tx) => postponeChunk(tx, chunk.accountId, chunk));
    }
  }
  return registered;
}

/** Ends broken uploads that nobody continued, and deletes chunks that no upload can be compared with any more. */
export async function tidyImports(ctx: CoreContext): Promise<void> {
  await withSystem(ctx.store, async (tx) => {
    await closeInterruptedImports(tx);
    await forgetDoneChunks(tx, forgottenPerRound);
  });
}

/**
 * Commits the rows, their errors, the counts and the chunk's mark together: a process that dies leaves the chunk as it
 * was. Returns how many shipments it created, or null when another worker has the chunk.
 */
function registerChunk(ctx: CoreContext, place: PendingChunk, read: RowReader): Promise<number | null> {
  const { accountId } = place;
  return retryLostRaces(() =>
    withAccount(ctx.store, accountId, async (tx) => {
      const chunk = await lockChunk(tx, accountId, place);
      if (chunk === null) return null;
      if (chunk.import.state === 'failed') {
        await dropWaitingChunks(tx, accountId, place.importId);
        return null;
      }
      const work = { chunk, accountId, rows: read(chunk.import, chunk.rows) };
      const results = await registerChunkRows(tx, ctx, work);
      const listed = results.flatMap((result, index) => toImportError(result, { chunk, index }) ?? []);
      const count = (outcome: ImportRowResult['outcome']) =>
        results.filter((result) => result.outcome === outcome).length;
      const own = { failed: count('failed'), warned: listed.filter(({ severity }) => severity === 'warning').length };
      const counted = await finishChunk(tx, accountId, {
        ...place,
        ...own,
        bytes: chunk.bytes,
        created: count('created'),
        existing: count('existing'),
        updated: count('updated'),
      });
      const before = { failed: counted.failed - own.failed, warned: counted.warned - own.warned };
      await insertImportErrors(tx, accountId, { importId: place.importId, errors: withRoom(listed, before) });
      if (hasTooManyErrors(counted)) {
        await failImport(tx, accountId, { importId: place.importId, reason: 'too_many_errors' });
        await dropWaitingChunks(tx, accountId, place.importId);
        await notifyFinished(ctx, tx, {
          ...counted,
          id: place.importId,
          accountId,
          state: 'failed',
          import: chunk.import,
        });
      } else if (counted.state === 'completed')
        await notifyFinished(ctx, tx, { ...counted, id: place.importId, accountId, import: chunk.import });
      return chunk.import.dryRun ? 0 : count('created');
    }),
  );
}

/** A check of a file notifies nobody. */
async function notifyFinished(
  ctx: CoreContext,
  tx: Tx,
  {
    accountId,
    import: { test, dryRun },
    ...counted
  }: CountedImport & { id: string; accountId: string; import: Import },
): Promise<void> {
  if (!dryRun) await appendNotice(tx, accountId, importFinished({ ...counted, test }, ctx.now().toISOString()));
}

/** Returns the errors that may still be stored. Errors and warnings have separate limits. */
function withRoom(errors: readonly ImportError[], before: { failed: number; warned: number }): ImportError[] {
  const room = { error: maxListedErrors - before.failed, warning: maxListedErrors - before.warned };
  return errors.filter(({ severity }) => room[severity]-- > 0);
}

type ChunkWork = { chunk: LockedChunk; accountId: string; rows: readonly ImportRow[] };

/** A dry run undoes what it wrote. Its results are what would have happened. */
function registerChunkRows(
  tx: Tx,
  ctx: CoreContext,
  { chunk, accountId, rows }: ChunkWork,
): Promise<ImportRowResult[]> {
  const caller = { accountId, test: chunk.import.test };
  // Leaves every first refresh to the sweep, which is fair among accounts.
  const withoutLeases = { ...ctx, settings: { ...ctx.settings, maxEagerLeases: 0 } };
  const updates = chunk.import.options.onExisting === 'update';
  return withinSavepoint(tx, !chunk.import.dryRun, () =>
    chunk.attempts < carefulAfter ? registerAll(rows) : registerOneByOne(rows),
  );

  function registerAll(some: readonly ImportRow[]): Promise<ImportRowResult[]> {
    return registerImportRows(tx, { ctx: withoutLeases, caller, rows: some, updates });
  }

  async function registerOneByOne(some: readonly ImportRow[]): Promise<ImportRowResult[]> {
    const results: ImportRowResult[] = [];
    for (const row of some) {
      try {
        results.push(...(await withinSavepoint(tx, true, () => registerAll([row]))));
      } catch (error) {
        if (isLostRace(error) || isDatabaseUnavailable(error)) throw error;
        ctx.log.error({ err: error, importId: chunk.import.id }, 'import row failed');
        const detail = 'Internal error. Report the row number and the id of the import.';
        results.push({ outcome: 'failed', error: new LandfallError('internal_error', detail, { cause: error }) });
      }
    }
    return results;
  }
}

function toImportError(result: ImportRowResult, at: { chunk: LockedChunk; index: number }): ImportError | null {
  const row = at.chunk.rows[at.index];
  if (row === undefined || (result.outcome !== 'failed' && result.warnings.length === 0)) return null;
  const raw = storableText(typeof row.content === 'string' ? row.content : JSON.stringify(row.content));
  const place = { rowNumber: at.chunk.firstRow + at.index, line: row.line, raw };
  if (result.outcome === 'failed') {
    const { code, detail, mistakes } = toRowError(result.error);
    return { ...place, severity: 'error', code, detail, mistakes };
  }
  const mistakes = result.warnings.map(({ code, field, detail }) => ({
    pointer: `/${field.replaceAll('.', '/')}`,
    code,
    detail: storableText(detail),
  }));
  const [first] = mistakes;
  const detail = mistakes.map((mistake) => mistake.detail).join(' ');
  return { ...place, severity: 'warning', code: first?.code ?? 'warning', detail, mistakes };
}
