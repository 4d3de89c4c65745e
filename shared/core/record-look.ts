import { type CadenceResult, nextCheck } from '#shared/domain/cadence.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Reading, TrackingEvent } from '#shared/domain/event.ts';
import { matchValue } from '#shared/domain/identifiers.ts';
import { composeJourney, statusBeganAt } from '#shared/domain/journey.ts';
import { canonicalReading } from '#shared/domain/reading.ts';
import type { RefreshSubject } from '#shared/domain/refresh.ts';
import type { Journey, LookOutcome, LookResult, Shipment } from '#shared/domain/shipment.ts';
import type { TransitionContext } from '#shared/domain/transition-reason.ts';
import { appendChanges } from '#shared/store/changes.ts';
import { insertEvents, insertRejectedEvents, readEvents, supersedeEvents } from '#shared/store/events.ts';
import { insertIdentifiers } from '#shared/store/identifiers.ts';
import { keepLook } from '#shared/store/looks.ts';
import { finishClaim } from '#shared/store/polling.ts';
import { lockShipment, readShipment } from '#shared/store/shipments.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';
import { findVisibleChanges, type VisibleChange } from './journey-changes.ts';
import { sha256Hex } from './sha256-hex.ts';
import { shipmentSnapshot } from './shipment-snapshot.ts';
import { takeInReading } from './take-in-reading.ts';
import { writeJourney } from './write-journey.ts';

/** `stale`: the epoch had moved on or the lease ran out, so nothing was written. */
export type RecordedLook = { outcome: LookOutcome; stale: boolean };

/** One look with everything that is known before the database is asked. `nowMs` is Postgres's time. */
type Work = { ctx: CoreContext; subject: RefreshSubject; look: LookResult; traceId: string | null; nowMs: number };

type Found = { reading: Reading; readingHash: string };

/**
 * Records what a look at the carrier gave, in one transaction: events, journey, status change, change rows, polling and the look itself. A look
 * without news costs one update of the polling row and the look. A look that cannot be recorded is recorded as an `internal_error`, so that
 * a poisonous shipment backs off instead of coming back at once. Throws LandfallError `unavailable` when the database is away.
 */
export async function recordLook(
  ctx: CoreContext,
  subject: RefreshSubject,
  look: LookResult,
  traceId: string | null,
): Promise<RecordedLook> {
  const work: Work = { ctx, subject, look, traceId, nowMs: ctx.now().getTime() + subject.clockOffsetMs };
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

/** An event that lay too far ahead when the journey was composed counts by now. */
function hasEligibleEvent({ subject, nowMs }: Work): boolean {
  const { nextEligibleAt } = subject.journey;
  return nextEligibleAt !== null && Date.parse(nextEligibleAt) <= nowMs;
}

/**
 * Nothing new from the carrier: the journey stays, unless one of its events begins to count while the carrier is away. Only that and a
 * changed tracking state are visible, and only then is the shipment touched.
 */
async function recordQuietly(tx: Tx, work: Work): Promise<RecordedLook> {
  const { subject, look } = work;
  const outcome: LookOutcome = look.outcome === 'found' ? 'unchanged' : look.outcome;
  const plan = planNext(work, { journey: subject.journey, outcome });
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
    await publish(tx, work, { shipment, journey, statusChangedAt, visible, context: { events, addedIds: [] } });
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
  const plan = planNext(work, { journey, outcome });
  if (!(await finish(tx, work, { plan, readingHash: found.readingHash, changed }))) return { outcome, stale: true };

  await insertEvents(tx, accountId, shipmentId, news.inserts);
  await supersedeEvents(tx, accountId, news.superseded);
  await insertRejectedEvents(tx, accountId, shipmentId, found.reading.rejected);
  await keep(tx, work, { outcome, eventsAdded: news.inserts.length });
  const visible = findVisibleChanges({ journey: shipment.journey, tracking: shipment.tracking }, { journey, tracking: plan });
  if (changed || visible.length > 0) {
    await addCarrierContainers(tx, shipment, journey);
    const context = { events, addedIds: news.inserts.map(({ event }) => event.id) };
    await publish(tx, work, { shipment, journey, statusChangedAt, visible, context });
  }
  return { outcome, stale: false };
}

function composeFrom(events: readonly TrackingEvent[], { transportMode, identifiers }: Shipment, nowMs: number) {
  const knownContainers = identifiers.container === undefined ? [] : [matchValue(identifiers.container)];
  const input = { events, transportMode, knownContainers };
  return { journey: composeJourney(input, nowMs), statusChangedAt: statusBeganAt(input, nowMs) };
}

function planNext(work: Work, after: { journey: Journey; outcome: LookOutcome }): CadenceResult {
  const { ctx, subject, look, nowMs } = work;
  const { polling } = subject;
  return nextCheck(
    {
      mode: subject.transportMode,
      state: polling.state,
      reason: polling.reason,
      journey: after.journey,
      outcome: after.outcome,
      outcomeReason: look.outcome === 'found' ? null : look.reason,
      permanent: look.outcome === 'error' && look.permanent,
      retryAfterMs: look.outcome === 'error' ? look.retryAfterMs : null,
      consecutiveFailures: polling.consecutiveFailures,
      trackingSinceMs: Date.parse(subject.trackingSince),
      resumedAtMs: subject.trackingSince === subject.createdAt ? null : Date.parse(subject.trackingSince),
      lastSucceededAtMs: polling.lastSucceededAt === null ? null : Date.parse(polling.lastSucceededAt),
      lastChangedAtMs: polling.lastChangedAt === null ? null : Date.parse(polling.lastChangedAt),
      random: Math.random(),
      cadenceScale: 1 / ctx.settings.cadenceScale,
    },
    nowMs,
  );
}

function finish(tx: Tx, work: Work, result: { plan: CadenceResult; readingHash: string | null; changed: boolean }): Promise<boolean> {
  const { subject, look, traceId, nowMs } = work;
  const { plan } = result;
  // Due times go over as intervals: Postgres adds them to its own clock, so that a worker with a wrong clock moves none.
  return finishClaim(tx, subject.accountId, subject.shipmentId, {
    epoch: subject.epoch,
    state: plan.state,
    reason: plan.reason,
    nextCheckInS: plan.nextCheckAtMs === null ? null : Math.max(0, (plan.nextCheckAtMs - nowMs) / 1000),
    staleInS:
      look.outcome === 'found' && look.stale === true ? 0 : plan.staleAtMs === null ? null : Math.max(0, (plan.staleAtMs - nowMs) / 1000),
    consecutiveFailures: plan.consecutiveFailures,
    readingHash: result.readingHash,
    source: look.outcome === 'found' ? look.reading.source : look.source,
    traceId,
    succeeded: look.outcome === 'found',
    changed: result.changed,
  });
}

function keep(tx: Tx, work: Work, kept: { outcome: LookOutcome; eventsAdded: number }): Promise<void> {
  const { subject, look, traceId } = work;
  return keepLook(tx, subject.accountId, subject.shipmentId, {
    ...kept,
    reason: look.outcome === 'found' ? null : look.reason,
    httpStatus: look.httpStatus,
    durationMs: look.durationMs,
    source: look.outcome === 'found' ? look.reading.source : look.source,
    traceId,
  });
}

type Publication = {
  shipment: Shipment;
  journey: Journey;
  statusChangedAt: string | null;
  visible: VisibleChange[];
  context: TransitionContext;
};

/** Writes the composed journey and tells of every visible change; the last write of the transaction. */
async function publish(tx: Tx, work: Work, publication: Publication): Promise<void> {
  const { subject, traceId } = work;
  const { accountId, shipmentId } = subject;
  const { shipment, journey, statusChangedAt } = publication;
  // A new version that no kind of change is about is told all the same: readers of the feed keep copies.
  const visible: VisibleChange[] = publication.visible.length > 0 ? publication.visible : [{ type: 'shipment.updated', changes: {} }];
  await writeJourney(tx, accountId, { shipment, journey, statusChangedAt, context: publication.context, traceId });
  const now = await readShipment(tx, accountId, { id: shipmentId, test: shipment.test });
  if (now === null) throw new Error('the shipment just written cannot be read');
  const snapshot = shipmentSnapshot(now);
  const traceparent = work.ctx.traceparent();
  await appendChanges(
    tx,
    accountId,
    visible.map(({ type, changes }) => ({
      type,
      shipmentId,
      test: shipment.test,
      data: { shipment: snapshot, changes },
      traceparent,
    })),
  );
}

/** Containers that the carrier named can be searched like the client's own numbers. */
async function addCarrierContainers(tx: Tx, shipment: Shipment, journey: Journey): Promise<void> {
  const known = new Set(shipment.journey.containers.map((container) => container.number));
  const added = journey.containers.filter((container) => !known.has(container.number));
  await insertIdentifiers(tx, shipment.accountId, {
    shipmentId: shipment.id,
    source: 'carrier',
    test: shipment.test,
    transportMode: shipment.transportMode,
    carrier: shipment.carrier,
    entries: added.map(({ number }) => ({ key: 'container' as const, value: number, matchValue: matchValue(number) })),
  });
}
