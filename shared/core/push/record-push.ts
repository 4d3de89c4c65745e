import type { DeliveryReader } from '#shared/domain/push/push.ts';
import { revisionText, sayingText } from '#shared/domain/registration/dedupe.ts';
import type { RefreshOutcome, Shipment, TrackingReason, TrackingState } from '#shared/domain/shipments/shipment.ts';
import { isTrackingEnded, nextRefresh } from '#shared/domain/tracking/cadence.ts';
import type { ReadEvent, TrackingEvent } from '#shared/domain/tracking/event.ts';
import { isLive } from '#shared/domain/tracking/event-order.ts';
import { countUnreadable } from '#shared/domain/tracking/unreadable.ts';
import { lockPollingForPush, notePush, type PollingBeforePush } from '#shared/store/push/push-record.ts';
import { insertEvents, readEvents, supersedeEvents } from '#shared/store/tracking/events.ts';
import { lockShipments } from '#shared/store/tracking/journeys.ts';
import { readLiveRaws } from '#shared/store/tracking/raw-events.ts';
import { insertRefresh } from '#shared/store/tracking/refreshes.ts';
import { insertRejectedEvents } from '#shared/store/tracking/rejected-events.ts';
import { type Tx, withAccountByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { readFreeTimeRules } from '../free-time/free-time-rules.ts';
import { retryLostRaces } from '../registration/retry-lost-races.ts';
import { applyReading } from '../tracking/compose-refresh.ts';
import { addCarrierNumbers, findVisibleChanges, publishJourneys } from '../tracking/publish-journeys.ts';

/** Events that a carrier pushed about one shipment. */
export type Push = { accountId: string; shipmentId: string; connector: string; raws: readonly unknown[] };

export type RecordedPush = Extract<RefreshOutcome, 'changed' | 'unchanged'> | 'ignored';

/**
 * Records what a carrier pushed about a shipment, in one transaction: events, journey, status change, change rows,
 * polling and a refresh. The events are merged with those that polling found; an event that is missing from the push
 * is not replaced, and recording a push twice changes nothing. `ignored`: the shipment is archived, its tracking has
 * ended, or another connector serves it.
 */
export function recordPush(
  ctx: CoreContext,
  push: Push,
  reader: DeliveryReader,
  traceId: string | null,
): Promise<RecordedPush> {
  const startedAt = performance.now();
  return retryLostRaces(() =>
    withAccountByKey(ctx.store, push.accountId, async (tx) => {
      const { accountId, shipmentId } = push;
      // A followed shipment is never settled, and one that is ignored stays so.
      const shipment = (await lockShipments(tx, accountId, { ids: [shipmentId], waits: true })).get(shipmentId) ?? null;
      const polling = shipment === null ? null : await lockPollingForPush(tx, accountId, shipmentId);
      if (shipment === null || polling === null || !isFollowed(shipment, polling, push.connector)) return 'ignored';
      return recordLocked(tx, { ctx, push, reader, traceId, shipment, polling, startedAt });
    }),
  );
}

function isFollowed(shipment: Shipment, polling: PollingBeforePush, connector: string): boolean {
  return (
    shipment.archivedAt === null && !shipment.test && polling.connector === connector && !isTrackingEnded(polling.state)
  );
}

type Work = {
  ctx: CoreContext;
  push: Push;
  reader: DeliveryReader;
  traceId: string | null;
  shipment: Shipment;
  polling: PollingBeforePush;
  startedAt: number;
};

async function recordLocked(tx: Tx, work: Work): Promise<RecordedPush> {
  const { ctx, push, reader, traceId, shipment, polling } = work;
  const { accountId, shipmentId } = push;
  const nowMs = Date.parse(polling.now);
  const stored = await readEvents(tx, accountId, shipmentId);
  const read = readInContext(push.raws, {
    reader,
    stored: stored.filter((event) => event.source !== 'client'),
    storedRaws: await readLiveRaws(tx, accountId, shipmentId),
  });

  const rules = await readFreeTimeRules(ctx, tx, accountId);
  const applied = applyReading(shipment, stored, {
    read: { events: read.events, source: reader.source },
    nowMs,
    rules: rules(shipment),
    partial: true,
  });
  const { reading, events, journey, statusChangedAt, added, changed } = applied;
  const outcome = changed ? 'changed' : 'unchanged';

  await insertEvents(tx, accountId, shipmentId, reading.inserts);
  const superseded = reading.superseded.map((one) => ({ ...one, shipmentId }));
  await supersedeEvents(tx, accountId, superseded);
  await insertRejectedEvents(tx, accountId, shipmentId, read.rejected);
  const unreadable = countUnreadable(read.rejected);
  const isUnreadable = read.events.length === 0 && unreadable !== null;
  const tracking = read.events.length > 0 ? await continueTracking(tx, work, { journey, outcome, nowMs }) : polling;
  await insertRefresh(tx, accountId, shipmentId, {
    outcome: isUnreadable ? 'error' : outcome,
    reason: isUnreadable ? 'unrecognized_response' : null,
    detail: isUnreadable ? 'None of the pushed events could be read.' : null,
    unreadable,
    httpStatus: null,
    durationMs: Math.round(performance.now() - work.startedAt),
    eventsAdded: reading.inserts.length,
    source: `push:${push.connector}`,
    traceId,
    traceKept: ctx.keepsTrace(),
  });
  const visible = findVisibleChanges({ journey: shipment.journey, tracking: polling }, { journey, tracking, added });
  if (changed || visible.length > 0) {
    await addCarrierNumbers(tx, accountId, [{ shipment, journey }]);
    const context = { events, addedIds: reading.inserts.map(({ event }) => event.id) };
    const journeyText = ctx.journeyText?.(journey) ?? null;
    const traceparent = ctx.traceparent();
    const publication = { shipment, journey, journeyText, statusChangedAt, visible, context, traceId, traceparent };
    await publishJourneys(tx, accountId, [publication]);
  }
  return outcome;
}

type Context = { reader: DeliveryReader; stored: readonly TrackingEvent[]; storedRaws: ReadonlyMap<string, unknown> };
type ReadPush = { events: ReadEvent[]; rejected: { raw: unknown; reason: string }[] };

/**
 * Reads the pushed events together with the stored ones. The meaning of some events depends on the others, so a stored
 * event may now be read with another code.
 */
function readInContext(raws: readonly unknown[], { reader, stored, storedRaws }: Context): ReadPush {
  const known = stored.filter((event) => isLive(event) && storedRaws.has(event.id));
  const outcomes = reader.readEvents([...known.map((event) => storedRaws.get(event.id)), ...raws]);
  const read: ReadPush = { events: [], rejected: [] };
  for (const [index, outcome] of outcomes.entries()) {
    const row = known[index];
    if (row !== undefined) {
      if (!('reason' in outcome) && isReadOtherwise(outcome, row, reader.source)) read.events.push(outcome);
      continue;
    }
    if ('reason' in outcome) read.rejected.push({ raw: raws[index - known.length], reason: outcome.reason });
    else read.events.push(outcome);
  }
  return read;
}

/** Differs in its code alone: other differences come from a newer release and are left to the next refresh. */
function isReadOtherwise(event: ReadEvent, row: TrackingEvent, source: string): boolean {
  const sameButCode =
    revisionText({ ...event, code: row.code }, source) === revisionText(row, source) &&
    sayingText(event) === sayingText(row);
  return sameButCode && event.code !== row.code;
}

type Composed = { journey: Parameters<typeof nextRefresh>[0]['journey']; outcome: RefreshOutcome; nowMs: number };
type Tracking = { state: TrackingState; reason: TrackingReason | null };

/**
 * Tracking after the push: active if the carrier had no data so far, otherwise unchanged, so that a polling failure
 * stays visible. A push never completes tracking, because earlier events may still be on their way. When the journey
 * is over, one more refresh follows soon and reads all of it.
 */
async function continueTracking(tx: Tx, work: Work, { journey, outcome, nowMs }: Composed): Promise<Tracking> {
  const { ctx, push, reader, traceId, shipment, polling } = work;
  const schedule = nextRefresh(
    {
      mode: shipment.transportMode,
      state: polling.state,
      reason: polling.reason,
      journey,
      outcome,
      outcomeReason: null,
      permanent: false,
      retryAfterMs: null,
      consecutiveFailures: polling.consecutiveFailures,
      trackingSinceMs: Date.parse(polling.trackingSince),
      resumedAtMs: polling.trackingSince === shipment.createdAt ? null : Date.parse(polling.trackingSince),
      lastSucceededAtMs: polling.lastSucceededAt === null ? null : Date.parse(polling.lastSucceededAt),
      lastChangedAtMs: polling.lastChangedAt === null ? null : Date.parse(polling.lastChangedAt),
      random: Math.random(),
      cadenceScale: 1 / ctx.settings.cadenceScale,
      pushActive: true,
    },
    nowMs,
  );
  const begins = polling.state === 'queued' || polling.state === 'awaiting_carrier';
  const tracking: Tracking = begins
    ? { state: 'active', reason: null }
    : { state: polling.state, reason: polling.reason };
  const lastRefreshMs = Math.max(2000, 60_000 * Math.min(1, ctx.settings.cadenceScale));
  await notePush(tx, push.accountId, push.shipmentId, {
    ...tracking,
    nextRefreshInS:
      Math.max(0, schedule.nextRefreshAtMs === null ? lastRefreshMs : schedule.nextRefreshAtMs - nowMs) / 1000,
    staleInS: schedule.staleAtMs === null ? null : Math.max(0, (schedule.staleAtMs - nowMs) / 1000),
    source: reader.source,
    traceId,
    traceKept: ctx.keepsTrace(),
    changed: outcome === 'changed',
    fenced: tracking.state !== polling.state || tracking.reason !== polling.reason,
  });
  return tracking;
}
