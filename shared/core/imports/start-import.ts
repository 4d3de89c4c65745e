import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import {
  type Import,
  type ImportFile,
  type ImportFormat,
  type ImportOptions,
  importQuota,
} from '#shared/domain/registration/import.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { lockImportUsage, readImportUsage } from '#shared/store/imports/end-import.ts';
import { type ImportReceiver, insertImport, lockImportByKey, takeOverImport } from '#shared/store/imports/imports.ts';
import { takeIdempotencyKey } from '#shared/store/registration/idempotency.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { idempotencyKeyOf } from '../registration/idempotency.ts';

export type ImportInput = { format: ImportFormat; options: ImportOptions; file: ImportFile; dryRun: boolean };

/** An upload that may continue. `complete`: all rows were received before, so they are only compared. */
export type StartedImport = { found: Import; receiver: ImportReceiver; complete: boolean; resumable: boolean };

/** Seconds for which a silent receiver counts as alive. */
const receiverLeaseS = 15;
/**
 * Seconds for which a broken upload may be continued before it ends as interrupted. While its key lives it can still be
 * continued after that.
 */
const resumeS = 600;

/**
 * Starts an import, or continues the one that the caller's Idempotency-Key started within the last 24 hours. Throws
 * LandfallError `idempotency_in_progress` while its upload is alive, `idempotency_mismatch` when its format, columns or
 * options differ.
 */
export async function startImport(ctx: CoreContext, caller: Caller, input: ImportInput): Promise<StartedImport> {
  const { accountId, keyId, test } = caller;
  const key = idempotencyKeyOf(caller);
  const receiver = crypto.randomUUID();
  const resumable = key !== null;
  // Without a key an upload can't be continued.
  const lease = { receiver, receiverLeaseS, resumeS: resumable ? resumeS : receiverLeaseS };
  return withAccount(ctx.store, accountId, async (tx) => {
    if (key !== null) {
      if (!(await takeIdempotencyKey(tx, accountId, key))) throw inProgress(null, 1);
      const earlier = await lockImportByKey(tx, accountId, { test, idempotencyKey: key.key });
      if (earlier !== null) {
        const { found, heldForS } = earlier;
        refuseOtherInput(found, input);
        const complete = found.state === 'running' || found.state === 'completed' || found.state === 'failed';
        if (heldForS > 0) throw inProgress(found, heldForS);
        const held = { importId: found.id, ...lease };
        if (!complete) await takeOverImport(tx, accountId, held);
        return { found, receiver: held, complete, resumable };
      }
    }
    await lockImportUsage(tx, accountId);
    const { imports, bytes } = await readImportUsage(tx, accountId, importQuota.imports);
    refuseBeyondQuota({ imports: imports + 1, bytes });
    const found = await insertImport(tx, accountId, {
      ...input,
      ...lease,
      keyId,
      test,
      idempotencyKey: key?.key ?? null,
    });
    return { found, receiver: { importId: found.id, ...lease }, complete: false, resumable };
  });
}

/** Throws LandfallError `import_quota_exceeded` when the account's imports take more than they may. */
export function refuseBeyondQuota({ imports, bytes }: { imports: number; bytes: number }): void {
  const advice = 'Wait until running imports have ended, or delete imports with DELETE /v1/imports/{import_id}.';
  if (bytes > importQuota.bytes)
    throw new LandfallError(
      'import_quota_exceeded',
      `The waiting and failed rows of this account's imports exceed ${importQuota.bytes / 1024 / 1024} MiB. ${advice}`,
    );
  if (imports > importQuota.imports)
    throw new LandfallError(
      'import_quota_exceeded',
      `The account keeps more than ${importQuota.imports} imports. ${advice}`,
    );
}

function refuseOtherInput(found: Import, input: ImportInput): void {
  const same =
    found.format === input.format &&
    found.dryRun === input.dryRun &&
    found.options.delimiter === input.options.delimiter &&
    found.options.carrier === input.options.carrier &&
    found.options.transportMode === input.options.transportMode &&
    (found.options.unknownColumns ?? 'refuse') === (input.options.unknownColumns ?? 'refuse') &&
    (found.options.onExisting ?? 'keep') === (input.options.onExisting ?? 'keep') &&
    JSON.stringify(found.options.columns) === JSON.stringify(input.options.columns);
  if (same) return;
  throw new LandfallError(
    'idempotency_mismatch',
    'This Idempotency-Key was used for an import with a different format, header or query. Use a new key.',
  );
}

/** Names the import, so that a client that lost the response can follow it. */
function inProgress(found: Import | null, seconds: number): LandfallError {
  const name = found === null ? '' : ` (${encodeTypeId('imp', found.id)})`;
  return new LandfallError(
    'idempotency_in_progress',
    `An upload with this Idempotency-Key is still running${name}. Retry later.`,
    {
      retryAfterS: Math.max(1, Math.ceil(seconds)),
    },
  );
}
