import { finishUnchanged, type UnchangedLook } from '#shared/store/system/unchanged-looks.ts';
import { withSystemByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';
import { planNextLook, pollingOutcomeOf } from './plan-next-look.ts';
import { answerHashOf, type Work } from './taken-look.ts';

/** A look that found what was known and changes nothing that anybody sees, as it is written. */
export type QuietLook = { work: Work; row: UnchangedLook };

/** Null: there is news, or the tracking state changes; `recordLooks` takes it. */
export function asQuietLook(work: Work): QuietLook | null {
  const { subject, look, eligible, isSameReading, traceId } = work;
  if (eligible || !(look.outcome === 'unchanged' || isSameReading)) return null;
  const plan = planNextLook(work, { journey: subject.journey, outcome: 'unchanged' });
  if (plan.state !== subject.polling.state || plan.reason !== subject.polling.reason) return null;
  const { epoch, nextCheckInS, staleInS, answerHash, source } = pollingOutcomeOf(work, {
    plan,
    readingHash: null,
    answerHash: answerHashOf(look),
    changed: false,
    traceId,
  });
  const { accountId, shipmentId } = subject;
  const { httpStatus, durationMs } = look;
  return {
    work,
    row: { accountId, shipmentId, epoch, nextCheckInS, staleInS, answerHash, source, traceId, httpStatus, durationMs },
  };
}

/**
 * Records looks without news together, those of all accounts in one statement. Tells of each whether it was recorded; what was not is for
 * `recordLooks`: its claim is over, or somebody holds its row.
 */
export async function recordUnchanged(ctx: CoreContext, looks: readonly QuietLook[]): Promise<boolean[]> {
  // A shipment twice, at two epochs: only one of them can be live, and a statement updates a row once.
  const rows = new Map(looks.map(({ row }) => [row.shipmentId, row]));
  const finished = await withSystemByKey(ctx.store, (tx) => finishUnchanged(tx, [...rows.values()]));
  return looks.map(({ row }) => finished.has(row.shipmentId) && rows.get(row.shipmentId) === row);
}
