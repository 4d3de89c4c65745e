import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { readTerms, replaceTerms } from '#shared/store/free-time/free-time-terms.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { type Tx, withAccount, withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { checkSentTerms } from './check-sent-terms.ts';

/** `version` 0: the account has no terms. `isApplied`: every shipment is due that earlier terms assessed. */
export type FreeTimeTermsState = {
  terms: readonly FreeTimeTerm[];
  version: number;
  updatedAt: string | null;
  isApplied: boolean;
};

/** The free-time terms of the caller's mode. */
export function getFreeTimeTerms(ctx: CoreContext, { accountId, test }: Caller): Promise<FreeTimeTermsState> {
  return withAccountReads(ctx.store, accountId, (tx) => readState(tx, accountId, test));
}

/**
 * Replaces the free-time terms of the caller's mode. Shipments are assessed by them from the commit on: those that are
 * refreshed at once, the others by a worker. `isExpected`: whether the present version is what the client has read.
 * Throws LandfallError `validation_failed` with the mistakes of all rows, or `precondition_failed`.
 */
export async function replaceFreeTimeTerms(
  ctx: CoreContext,
  caller: Caller,
  { terms: sent, isExpected }: { terms: readonly FreeTimeTerm[]; isExpected: (version: number) => boolean },
): Promise<FreeTimeTermsState> {
  const { accountId, test } = caller;
  const terms = checkSentTerms(sent);
  return withAccount(ctx.store, accountId, async (tx) => {
    const before = await readTerms(tx, accountId, { test, locks: true });
    if (!isExpected(before?.version ?? 0)) throw replacedMeanwhile();
    const { version, updatedAt } = await replaceTerms(tx, accountId, { test, terms });
    // Another request stored the first terms between the two statements.
    if (version !== (before?.version ?? 0) + 1 && !isExpected(version - 1)) throw replacedMeanwhile();
    await appendAudit(tx, accountId, {
      actor: actorOf(caller),
      action: 'free_time_terms.replaced',
      subjectType: 'free_time_terms',
      subjectId: null,
      requestId: caller.requestId,
      detail: { version, rows: terms.length, rows_before: before?.terms.length ?? 0, test },
    });
    return { terms, version, updatedAt, isApplied: false };
  });
}

async function readState(tx: Tx, accountId: string, test: boolean): Promise<FreeTimeTermsState> {
  const stored = await readTerms(tx, accountId, { test });
  if (stored === null) return { terms: [], version: 0, updatedAt: null, isApplied: true };
  const { terms, version, updatedAt, isMarking } = stored;
  return { terms, version, updatedAt, isApplied: !isMarking };
}

function replacedMeanwhile(): LandfallError {
  const detail = 'The terms changed since they were read. Read them again and send their current ETag.';
  return new LandfallError('precondition_failed', detail);
}
