import type { CadenceResult } from '#shared/domain/cadence.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Reading } from '#shared/domain/event.ts';
import { canonicalReading } from '#shared/domain/reading.ts';
import type { RefreshSubject } from '#shared/domain/refresh.ts';
import type { LookOutcome, LookResult } from '#shared/domain/shipment.ts';
import { insertEvents, insertRejectedEvents, readEvents, supersedeEvents } from '#shared/store/events.ts';
import { keepLook } from '#shared/store/looks.ts';
import { finishClaim } from '#shared/store/polling.ts';
import { lockShipment } from '#shared/store/shipments.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import { composeFrom } from './compose-from.ts';
import type { CoreContext } from './core-context.ts';
import { findVisibleChanges } from './journey-changes.ts';
import { hasEligibleEvent, type PlannedLook, planNextLook, pollingOutcomeOf, reasonOf } from './plan-next-look.ts';
import { addCarrierContainers, publishJourney } from './publish-journey.ts';
import { sha256Hex } from './sha256-hex.ts';
import { takeInReading } from './take-in-reading.ts';

/** `stale`: the epoch had moved on or the lease ran out, so nothing was written. */
export type RecordedLook = { outcome: LookOutcome; stale: boolean };

/** One look with everything that is known before the database is asked. `nowMs` is Postgres's time. */
type Work = PlannedLook & { traceId: string | null };

type Found = { reading: Reading; readingHash: string };

/**
 * Records what a look at the carrier gave, in one transaction: events, journey, status change, change rows, polling and the look itself. A look
 * without news costs one update of the polling row and the look. A look that cannot be recorded is recorded as an `internal_error`, so that
 * a poisonous shipment backs off instead of coming back at once. `budgetPressure` (demand over budget at the carrier) puts off the next one. Throws LandfallError `unavailable` when the database is away.
 */
export async function recordLook(
  ctx: CoreContext,
  subject: RefreshSubject,
  look: LookResult,
  traceId: string | null,
  { budgetPressure = 1 }: { budgetPressure?: number } = {},
): Promise<RecordedLook> {
  const work: Work = { ctx, subject, look, traceId, nowMs: ctx.now().getTime() + subject.clockOffsetMs, budgetPressure };
  try {
    return await recordOnce(work);
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'unavailable') throw error;
    ctx.log.error({ err: error, shipmentId: subject.shipmentId, accountId: subject.accountId }, 'a look could not be recorded');
    const failed: LookResult = {
      outcome: 'error',
      httpStatus: look.httpStatus,
      durationMs: look.durationMs,
      reason: 'internal_error',
      permanent: false,
      retryAfterMs: null,
      detail: 'the look could not be recorded',
      source: look.outcome === 'found' ? look.reading.source : look.source,
    };
    return recordOnce({ ...work, look: failed });
  }
}

async function recordOnce(work: Work): Promise<RecordedLook> {
  const { ctx, subject, look } = work;
  const found = look.outcome === 'found' ? { reading: look.reading, readingHash: await sha256Hex(canonicalReading(look.reading)) } : null;
  const isSameReading = found !== null && found.readingHash === subject.polling.readingHash;
  const eligible = hasEligibleEvent(work);
  return withAccount(ctx.store, subject.accountId, async (tx) => {
    if (found === null || (isSameReading && !eligible)) return recordQuietly(tx, work);
    return recordReading(tx, work, found);
  });
}

/**
 * Nothing new from the carrier: the journey stays, unless one of its events begins to count while the carrier is away. Only that and a
 * changed tracking state are visible, and only then is the shipment touched.
 */
async function recordQuietly(tx: Tx, work: Work): Promise<RecordedLook> {
  const { subject, look } = work;
  const outcome: LookOutcome = look.outcome === 'found' ? 'unchanged' : look.outcome;
  const plan = planNextLook(work, { journey: subject.journey, outcome });
  const isVisible = plan.state !== subject.polling.state || plan.reason !== subject.polling.reason;
  const eligible = hasEligibleEvent(work);
  const shipment = isVisible || eligible ? await lockShipment(tx, subject.accountId, subject.shipmentId) : null;
  // The hash stays as it is: it may have been forgotten meanwhile, for the next answer to be read in full.
  if (!(await finish(tx, work, { plan, readingHash: null, changed: false }))) return { outcome, stale: true };
  await keep(tx, work, { outcome, eventsAdded: 0 });
  if (shipment !== null) {
    const events = eligible ? await readEvents(tx, subject.accountId, subject.shipmentId) : [];
    const { journey, statusChangedAt } = eligible ? composeFrom(events, shipment, work.nowMs) : shipment;
    const visible = findVisibleChanges({ journey: shipment.journey, tracking: shipment.tracking }, { journey, tracking: plan });
    const context = { events, addedIds: [] };
    await publishJourney(tx, work.ctx, { shipment, journey, statusChangedAt, visible, context, traceId: work.traceId });
  }
  return { outcome, stale: false };
}

async function recordReading(tx: Tx, work: Work, found: Found): Promise<RecordedLook> {
  const { subject, nowMs } = work;
  const { accountId, shipmentId } = subject;
  const shipment = await lockShipment(tx, accountId, shipmentId);
  if (shipment === null) return { outcome: 'error', stale: true };

  const stored = await readEvents(tx, accountId, shipmentId);
  // What the client said is no word of the carrier: its readings neither repeat nor replace it.
  const clientEvents = stored.filter((event) => event.source === 'client');
  const carrierEvents = stored.filter((event) => event.source !== 'client');
  const news = takeInReading(carrierEvents, found.reading, nowMs);
  const events = [...news.events, ...clientEvents];
  const { journey, statusChangedAt } = composeFrom(events, shipment, nowMs);
  const changed =
    news.inserts.length > 0 ||
    news.superseded.length > 0 ||
    journey.status !== shipment.journey.status ||
    journey.nextEligibleAt !== shipment.journey.nextEligibleAt;
  const outcome: LookOutcome = changed ? 'changed' : 'unchanged';
  const plan = planNextLook(work, { journey, outcome });
  if (!(await finish(tx, work, { plan, readingHash: found.readingHash, changed }))) return { outcome, stale: true };

  await insertEvents(tx, accountId, shipmentId, news.inserts);
  await supersedeEvents(tx, accountId, news.superseded);
  await insertRejectedEvents(tx, accountId, shipmentId, found.reading.rejected);
  await keep(tx, work, { outcome, eventsAdded: news.inserts.length });
  const visible = findVisibleChanges({ journey: shipment.journey, tracking: shipment.tracking }, { journey, tracking: plan });
  if (changed || visible.length > 0) {
    await addCarrierContainers(tx, shipment, journey);
    const context = { events, addedIds: news.inserts.map(({ event }) => event.id) };
    await publishJourney(tx, work.ctx, { shipment, journey, statusChangedAt, visible, context, traceId: work.traceId });
  }
  return { outcome, stale: false };
}

function finish(tx: Tx, work: Work, result: { plan: CadenceResult; readingHash: string | null; changed: boolean }): Promise<boolean> {
  const { subject, traceId } = work;
  return finishClaim(tx, subject.accountId, subject.shipmentId, pollingOutcomeOf(work, { ...result, traceId }));
}

function keep(tx: Tx, work: Work, kept: { outcome: LookOutcome; eventsAdded: number }): Promise<void> {
  const { subject, look, traceId } = work;
  return keepLook(tx, subject.accountId, subject.shipmentId, {
    ...kept,
    reason: reasonOf(look),
    httpStatus: look.httpStatus,
    durationMs: look.durationMs,
    source: look.outcome === 'found' ? look.reading.source : look.source,
    traceId,
  });
}
