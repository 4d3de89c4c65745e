import { importFinished } from '#shared/domain/alerts/notice.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type Import, type ImportFile, importQuota, type RawChunk } from '#shared/domain/registration/import.ts';
import { lockImportUsage, readImportUsage } from '#shared/store/imports/end-import.ts';
import { endUpload, readImport, releaseReceiver, renewReceiver } from '#shared/store/imports/imports.ts';
import { compareChunk, countChunks, storeChunk } from '#shared/store/imports/store-chunk.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { appendNotice } from '../notices/notify-owners.ts';
import { refuseBeyondQuota, type StartedImport } from './start-import.ts';

const renewEveryMs = 5000;
/** A transaction for each 500 rows of one character would cost more than reading them. */
const charsPerTransaction = 16 * 1024;

/** `file` is asked for when all chunks have been read. */
export type ReceivedUpload = { started: StartedImport; chunks: AsyncIterable<RawChunk>; file: () => ImportFile };

/**
 * Stores each chunk of an upload before it takes the next one, and several small ones at once; chunks that an earlier
 * upload stored are compared. A broken upload leaves what it stored. Throws LandfallError `idempotency_mismatch` when
 * the rows differ from those stored under the same key, `idempotency_in_progress` when another upload took over, and
 * whatever `chunks` throws.
 */
export async function receiveImportRows(
  ctx: CoreContext,
  caller: Caller,
  upload: ReceivedUpload,
): Promise<{ replayed: boolean; received: Import }> {
  const { accountId, test } = caller;
  const { started, chunks } = upload;
  if (started.complete) {
    // The upload of an import that failed ended early, so there is nothing to compare with the rest.
    if (started.found.state !== 'failed') await compareAll(ctx, accountId, upload);
    const received = await withAccount(ctx.store, accountId, (tx) =>
      readImport(tx, accountId, { id: started.found.id, test }),
    );
    return { replayed: true, received: received ?? started.found };
  }
  const { receiver } = started;
  const renewing = setInterval(() => {
    // The next renewal or the next chunk makes up for a failed one.
    withAccount(ctx.store, accountId, (tx) => renewReceiver(tx, accountId, receiver)).catch(() => undefined);
  }, renewEveryMs);
  try {
    let number = 0;
    for await (const some of batchesOf(chunks)) {
      const refused = await withAccount(ctx.store, accountId, async (tx) => {
        await lockImportUsage(tx, accountId);
        let isLarger = false;
        for (const chunk of some) {
          const outcome = await storeChunk(tx, accountId, receiver, chunk);
          if (outcome === 'other' || outcome === 'lost') return { chunk, outcome };
          isLarger ||= outcome === 'stored';
        }
        if (isLarger) refuseBeyondQuota(await readImportUsage(tx, accountId, importQuota.imports));
        return null;
      });
      if (refused?.outcome === 'other') throw otherRows(refused.chunk);
      if (refused?.outcome === 'lost')
        return { replayed: false, received: await readFailed(ctx, caller, receiver.importId) };
      number += some.length;
    }
    const received = await withAccount(ctx.store, accountId, async (tx) => {
      const ended = await endUpload(tx, accountId, receiver, { chunks: number, file: upload.file() });
      if (ended?.state === 'completed' && !ended.dryRun)
        await appendNotice(tx, accountId, importFinished(ended, ctx.now().toISOString()));
      return ended;
    });
    if (received !== null) return { replayed: false, received };
    if ((await withAccount(ctx.store, accountId, (tx) => countChunks(tx, accountId, receiver.importId))) > number)
      throw fewerRows();
    return { replayed: false, received: await readFailed(ctx, caller, receiver.importId) };
  } catch (error) {
    const released = { ...receiver, resumeS: started.resumable ? receiver.resumeS : 0 };
    await withAccount(ctx.store, accountId, (tx) => releaseReceiver(tx, accountId, released)).catch(
      (releaseError: unknown) => {
        ctx.log.warn(
          { err: releaseError, importId: receiver.importId },
          'broken upload not released; its lease will expire',
        );
      },
    );
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

/** One chunk, or several with few characters. */
async function* batchesOf(chunks: AsyncIterable<RawChunk>): AsyncGenerator<RawChunk[]> {
  let batch: RawChunk[] = [];
  let chars = 0;
  for await (const chunk of chunks) {
    batch.push(chunk);
    for (const { content } of chunk.rows)
      chars += typeof content === 'string' ? content.length : content.reduce((sum, cell) => sum + cell.length, 1);
    if (chars < charsPerTransaction) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}

/** An import whose upload can't go on. Throws unless it has failed. */
async function readFailed(ctx: CoreContext, { accountId, test }: Caller, importId: string): Promise<Import> {
  const found = await withAccount(ctx.store, accountId, (tx) => readImport(tx, accountId, { id: importId, test }));
  if (found === null || found.reason === 'cancelled')
    throw new LandfallError('import_not_found', 'The import was deleted while it was uploaded.');
  if (found.state !== 'failed') throw takenOver();
  return found;
}

async function compareAll(ctx: CoreContext, accountId: string, { started, chunks }: ReceivedUpload): Promise<void> {
  const importId = started.found.id;
  let number = 0;
  for await (const chunk of chunks) {
    const same = await withAccount(ctx.store, accountId, (tx) => compareChunk(tx, accountId, { importId, chunk }));
    if (same !== true) throw otherRows(chunk);
    number += 1;
  }
  if ((await withAccount(ctx.store, accountId, (tx) => countChunks(tx, accountId, importId))) !== number)
    throw fewerRows();
}

function otherRows(chunk: RawChunk): LandfallError {
  const last = chunk.firstRow + chunk.rows.length - 1;
  const rows = `rows ${chunk.firstRow} to ${last}`;
  const detail = `This Idempotency-Key was used for a different file: ${rows} differ. Use a new key.`;
  return new LandfallError('idempotency_mismatch', detail);
}

function fewerRows(): LandfallError {
  return new LandfallError(
    'idempotency_mismatch',
    'This Idempotency-Key was used for a file with more rows. Use a new key.',
  );
}

function takenOver(): LandfallError {
  return new LandfallError(
    'idempotency_in_progress',
    'Another upload with this Idempotency-Key has taken over. Check the progress of the import instead.',
    {
      retryAfterS: 5,
    },
  );
}
