import { canonicalReading } from '#shared/domain/reading.ts';
import type { RefreshSubject } from '#shared/domain/refresh.ts';
import type { LookResult } from '#shared/domain/shipment.ts';
import { finishUnchanged, type UnchangedLook } from '#shared/store/unchanged-looks.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';
import { hasEligibleEvent, type PlannedLook, planNextLook, pollingOutcomeOf } from './plan-next-look.ts';
import { sha256Hex } from './sha256-hex.ts';

export type TakenLook = { subject: RefreshSubject; look: LookResult; budgetPressure: number };

/**
 * Records those looks of one job that found what was known already and change nothing that anybody sees: one statement for each account. Gives
 * the others, which have to be recorded one by one, and the number of those that were dropped because their epoch had moved on.
 */
export async function recordUnchanged<Taken extends TakenLook>(
  ctx: CoreContext,
  looks: readonly Taken[],
  traceId: string | null,
): Promise<{ others: Taken[]; refused: number }> {
  const byAccount = new Map<string, UnchangedLook[]>();
  const others: Taken[] = [];
  let refused = 0;
  for (const taken of looks) {
    const unchanged = await asUnchanged(ctx, taken, traceId);
    if (unchanged === null) {
      others.push(taken);
      continue;
    }
    const { accountId } = taken.subject;
    byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), unchanged]);
  }
  for (const [accountId, unchanged] of byAccount) {
    refused += unchanged.length - (await withAccount(ctx.store, accountId, (tx) => finishUnchanged(tx, accountId, unchanged)));
  }
  return { others, refused };
}

/** Null: there is news, or the tracking state changes. */
async function asUnchanged(
  ctx: CoreContext,
  { subject, look, budgetPressure }: TakenLook,
  traceId: string | null,
): Promise<UnchangedLook | null> {
  if (look.outcome !== 'found') return null;
  const planned: PlannedLook = { ctx, subject, look, nowMs: ctx.now().getTime() + subject.clockOffsetMs, budgetPressure };
  if (hasEligibleEvent(planned)) return null;
  const readingHash = await sha256Hex(canonicalReading(look.reading));
  if (readingHash !== subject.polling.readingHash) return null;
  const plan = planNextLook(planned, { journey: subject.journey, outcome: 'unchanged' });
  if (plan.state !== subject.polling.state || plan.reason !== subject.polling.reason) return null;
  return {
    shipmentId: subject.shipmentId,
    httpStatus: look.httpStatus,
    durationMs: look.durationMs,
    ...pollingOutcomeOf(planned, { plan, readingHash: null, changed: false, traceId }),
  };
}
