import type { DeliveryReader } from '#shared/domain/push/push.ts';
import { localMinute, revisionText } from '#shared/domain/registration/dedupe.ts';
import type { RefreshOutcome, Shipment, TrackingReason, TrackingState } from '#shared/domain/shipments/shipment.ts';
import { isTrackingEnded, nextRefresh } from '#shared/domain/tracking/cadence.ts';
import type { ReadEvent, TrackingEvent } from '#shared/domain/tracking/event.ts';
import { isLive } from '#shared/domain/tracking/event-order.ts';
import { composeFrom } from '#shared/domain/tracking/journey.ts';
import { lockPollingForPush, notePush, type PollingBeforePush, readLiveRaws } from '#shared/store/push/push-record.ts';
import { lockShipment } from '#shared/store/shipments/shipments.ts';
import { insertEvents, insertRejectedEvents, readEvents, supersedeEvents } from '#shared/store/tracking/events.ts';
import { insertRefresh } from '#shared/store/tracking/refreshes.ts';
import { type Tx, withAccountByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { retryLostRaces } from '../registration/retry-lost-races.ts';
import { findVisibleChanges } from '../tracking/journey-changes.ts';
import { addCarrierContainers, publishJourney } from '../tracking/publish-journey.ts';
import { takeInReading } from '../tracking/take-in-reading.ts';

/** Events that a carrier sent about one shipment, as they came. */
export type Push = { accountId: string; shipmentId: string; connector: string; raws: readonly unknown[] };

export type RecordedPush = Extract<RefreshOutcome, 'changed' | 'unchanged'> | 'ignored';

/**
 * Records what a carrier sent about a shipment of its own accord, in one transaction: events, journey, status change, change rows, polling
 * and a refresh. The events join those that polling found; nothing is replaced for being absent, and nothing happens twice. `ignored`: the
 * shipment is archived, no longer followed or another connector's.
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
      const shipment = await lockShipment(tx, accountId, shipmentId);
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
  const clientEvents = stored.filter((event) => event.source === 'client');
  const carrierEvents = stored.filter((event) => event.source !== 'client');
  const read = readInContext(push.raws, {
    reader,
    stored: carrierEvents,
    storedRaws: await readLiveRaws(tx, accountId, shipmentId),
  });

  const news = takeInReading(carrierEvents, { events: read.events, source: reader.source }, nowMs, { partial: true });
  const events = [...news.events, ...clientEvents];
  const { journey, statusChangedAt } = composeFrom(events, shipment, nowMs);
  const changed =
    news.inserts.length > 0 ||
    news.superseded.length > 0 ||
    journey.status !== shipment.journey.status ||
    journey.nextEligibleAt !== shipment.journey.nextEligibleAt;
  const outcome = changed ? 'changed' : 'unchanged';

  await insertEvents(tx, accountId, shipmentId, news.inserts);
  await supersedeEvents(tx, accountId, news.superseded);
  await insertRejectedEvents(tx, accountId, shipmentId, read.rejected);
  const tracking = read.events.length > 0 ? await goOn(tx, work, { journey, outcome, nowMs }) : polling;
  await insertRefresh(tx, accountId, shipmentId, {
    outcome,
    reason: null,
    httpStatus: null,
    durationMs: Math.round(performance.now() - work.startedAt),
    eventsAdded: news.inserts.length,
    source: `push:${push.connector}`,
    traceId,
  });
  const visible = findVisibleChanges({ journey: shipment.journey, tracking: polling }, { journey, tracking });
  if (changed || visible.length > 0) {
    await addCarrierContainers(tx, accountId, [{ shipment, journey }]);
    const context = { events, addedIds: news.inserts.map(({ event }) => event.id) };
    const journeyText = ctx.journeyText?.(journey) ?? null;
    await publishJourney(tx, {
      shipment,
      journey,
      journeyText,
      statusChangedAt,
      visible,
      context,
      traceId,
      traceparent: ctx.traceparent(),
    });
  }
  return outcome;
}

type Context = { reader: DeliveryReader; stored: readonly TrackingEvent[]; storedRaws: ReadonlyMap<string, unknown> };
type ReadPush = { events: ReadEvent[]; rejected: { raw: unknown; reason: string }[] };

/**
 * Reads the pushed events together with what the carrier said before. A stored event that now means something else, because its neighbours
 * are known at last, is read again with them.
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

/** The same in everything but the code: what a newer release reads otherwise is left to the next refresh. */
function isReadOtherwise(event: ReadEvent, row: TrackingEvent, source: string): boolean {
  const sameButCode =
    revisionText({ ...event, code: row.code }, source) === revisionText(row, source) &&
    localMinute(event) === localMinute(row);
  return sameButCode && event.code !== row.code;
}

type Plan = { journey: Parameters<typeof nextRefresh>[0]['journey']; outcome: RefreshOutcome; nowMs: number };
type Tracking = { state: TrackingState; reason: TrackingReason | null };

/**
 * Tracking after the push: it begins when the carrier was silent so far, and trouble in polling stays visible. A push never ends it, for what
 * was sent before may still be on its way: when the journey is over, one more refresh comes soon, which shows all of it.
 */
async function goOn(tx: Tx, work: Work, { journey, outcome, nowMs }: Plan): Promise<Tracking> {
  const { ctx, push, reader, traceId, shipment, polling } = work;
  const plan = nextRefresh(
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
    nextRefreshInS: Math.max(0, plan.nextRefreshAtMs === null ? lastRefreshMs : plan.nextRefreshAtMs - nowMs) / 1000,
    staleInS: plan.staleAtMs === null ? null : Math.max(0, (plan.staleAtMs - nowMs) / 1000),
    source: reader.source,
    traceId,
    changed: outcome === 'changed',
    fenced: tracking.state !== polling.state || tracking.reason !== polling.reason,
  });
  return tracking;
}
