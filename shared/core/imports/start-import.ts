import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Import, ImportFormat, ImportOptions } from '#shared/domain/imports/import.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { insertImport, lockImportByKey, type Receiver, takeOverImport } from '#shared/store/imports/imports.ts';
import { takeIdempotencyKey } from '#shared/store/registration/idempotency.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

export type ImportInput = { format: ImportFormat; options: ImportOptions; dryRun: boolean };

/** An upload that may go on. `complete`: its rows were all received before, and are only compared. */
export type StartedImport = { found: Import; receiver: Receiver; complete: boolean; resumable: boolean };

/** How long a receiver that says nothing counts as alive, in seconds. */
const receiverLeaseS = 15;
/** How long a broken upload may be continued before it ends as interrupted, in seconds. It may still go on later, as long as its key lives. */
const resumeS = 600;

/**
 * Begins an import, or goes on with the one that the caller's Idempotency-Key began within the last 24 hours. Throws LandfallError
 * `idempotency_in_progress` while its upload is alive, `idempotency_mismatch` when its format, columns or options differ.
 */
export async function startImport(ctx: CoreContext, caller: Caller, input: ImportInput): Promise<StartedImport> {
  const { accountId, keyId, test, idempotency } = caller;
  const receiver = crypto.randomUUID();
  const resumable = idempotency !== null;
  // Nobody can continue an upload without a key.
  const lease = { receiver, receiverLeaseS, resumeS: resumable ? resumeS : receiverLeaseS };
  return withAccount(ctx.store, accountId, async (tx) => {
    if (idempotency !== null) {
      const lock = { ...idempotency, route: `${test ? 'test ' : ''}${idempotency.route}` };
      if (!(await takeIdempotencyKey(tx, accountId, lock))) throw inProgress(null, 1);
      const earlier = await lockImportByKey(tx, accountId, { test, idempotencyKey: idempotency.key });
      if (earlier !== null) {
        const { found, heldForS } = earlier;
        refuseOtherInput(found, input);
        const complete = found.state === 'running' || found.state === 'completed';
        if (heldForS > 0) throw inProgress(found, heldForS);
        const held = { importId: found.id, ...lease };
        if (!complete) await takeOverImport(tx, accountId, held);
        return { found, receiver: held, complete, resumable };
      }
    }
    const found = await insertImport(tx, accountId, {
      ...input,
      ...lease,
      keyId,
      test,
      idempotencyKey: idempotency?.key ?? null,
    });
    return { found, receiver: { importId: found.id, ...lease }, complete: false, resumable };
  });
}

function refuseOtherInput(found: Import, input: ImportInput): void {
  const same =
    found.format === input.format &&
    found.dryRun === input.dryRun &&
    found.options.delimiter === input.options.delimiter &&
    found.options.carrier === input.options.carrier &&
    found.options.transportMode === input.options.transportMode &&
    JSON.stringify(found.options.columns) === JSON.stringify(input.options.columns);
  if (same) return;
  throw new LandfallError(
    'idempotency_mismatch',
    'This Idempotency-Key began an import with another format, header or query.',
  );
}

/** Names the import, so that whoever lost its answer can follow it meanwhile. */
function inProgress(found: Import | null, seconds: number): LandfallError {
  const name = found === null ? '' : `: ${encodeTypeId('imp', found.id)}`;
  return new LandfallError('idempotency_in_progress', `An upload with this Idempotency-Key is still running${name}.`, {
    retryAfterS: Math.max(1, Math.ceil(seconds)),
  });
}
