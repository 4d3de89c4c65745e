import { LandfallError } from '#shared/domain/errors.ts';
import type { Import, ImportError, RawRow } from '#shared/domain/imports/import.ts';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';
import { storableText, toRowError } from '#shared/domain/registration/storable-error.ts';
import {
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
import { prepareRegistration } from '../registration/prepare-registration.ts';
import { type RegistrationRow, type RowResult, registerRows } from '../registration/register-rows.ts';
import { isLostRace, retryLostRaces } from '../registration/retry-lost-races.ts';

/** A stored row: what it registers, or why it can't be read. */
export type ReadRow = SentRegistration | LandfallError;

/** Parses stored rows by the options of their import. Each gives a registration or an error. */
export type RowReader = (found: Import, rows: readonly RawRow[]) => ReadRow[];

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
      const results = await registerChunkRows(tx, ctx, { chunk, accountId, read: read(chunk.import, chunk.rows) });
      const errors = results.flatMap((result, index) => toImportError(result, { chunk, index }) ?? []);
      await insertImportErrors(tx, accountId, { importId: place.importId, errors });
      const count = (outcome: RowResult['outcome']) => results.filter((result) => result.outcome === outcome).length;
      await finishChunk(tx, accountId, {
        ...place,
        created: count('created'),
        existing: count('existing'),
        failed: count('failed'),
      });
      return chunk.import.dryRun ? 0 : count('created');
    }),
  );
}

type ChunkWork = { chunk: LockedChunk; accountId: string; read: readonly ReadRow[] };

/** A dry run undoes what it wrote. Its results are what would have happened. */
function registerChunkRows(tx: Tx, ctx: CoreContext, { chunk, accountId, read }: ChunkWork): Promise<RowResult[]> {
  const caller = { accountId, test: chunk.import.test };
  const traceparent = ctx.traceparent();
  const rows = read.map((row) => ({
    prepared: row instanceof LandfallError ? row : prepareRegistration(caller, row),
    traceparent,
  }));
  // Leaves every first refresh to the sweep, which is fair among accounts.
  const withoutLeases = { ...ctx, settings: { ...ctx.settings, maxEagerLeases: 0 } };
  return withinSavepoint(tx, !chunk.import.dryRun, () =>
    chunk.attempts < carefulAfter ? registerAll(rows) : registerOneByOne(rows),
  );

  async function registerAll(some: readonly RegistrationRow[]): Promise<RowResult[]> {
    return (await registerRows(tx, { ctx: withoutLeases, caller, rows: some })).results;
  }

  async function registerOneByOne(some: readonly RegistrationRow[]): Promise<RowResult[]> {
    const results: RowResult[] = [];
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

function toImportError(result: RowResult, at: { chunk: LockedChunk; index: number }): ImportError | null {
  if (result.outcome !== 'failed') return null;
  const { code, detail, mistakes } = toRowError(result.error);
  const raw = storableText(at.chunk.rows[at.index]?.text ?? '');
  return { rowNumber: at.chunk.firstRow + at.index, raw, code, detail, mistakes };
}
