import type { DeliveryReader } from '#shared/domain/carrier-subscriptions/carrier-subscription.ts';
import { revisionText, statementText } from '#shared/domain/events/dedupe.ts';
import type { ReadEvent, TrackingEvent } from '#shared/domain/events/event.ts';
import { isLive } from '#shared/domain/events/event-order.ts';
import { countUnreadable } from '#shared/domain/events/unreadable.ts';
import type { RefreshOutcome } from '#shared/domain/record/shipment.ts';
import { isTrackingEnded, nextRefresh } from '#shared/domain/refresh/cadence.ts';
import { type LockedForPush, lockForPush, type PushOutcome } from '#shared/store/carrier-subscriptions/push-record.ts';
import type { SendWrites } from '#shared/store/send-in-order.ts';
import { readEvents } from '#shared/store/tracking/events.ts';
import { readLiveRaws } from '#shared/store/tracking/raw-events.ts';
import type { Refresh } from '#shared/store/tracking/refreshes.ts';
import { type Tx, withAccountByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { readFreeTimeRules } from '../free-time/free-time-rules.ts';
import { retryLostRaces } from '../retry-lost-races.ts';
import { applyReading } from '../tracking/compose-refresh.ts';
import { findVisibleChanges } from '../tracking/publish-journeys.ts';
import { writePushes } from './write-pushes.ts';

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
    withAccountByKey(ctx.store, push.accountId, async (tx, commitWith) => {
      const { accountId, shipmentId } = push;
      // A followed shipment is never settled, and one that is ignored stays so.
      const locked = (await lockForPush(tx, accountId, { ids: [shipmentId], test: false })).get(shipmentId);
      if (locked === undefined || !isFollowed(locked, push.connector)) return 'ignored';
      return recordLocked({ tx, commitWith }, { ctx, push, reader, traceId, locked, startedAt });
    }),
  );
}

function isFollowed({ shipment, connector }: LockedForPush, pushing: string): boolean {
  const { archivedAt, tracking } = shipment;
  return archivedAt === null && connector === pushing && !isTrackingEnded(tracking.state);
}

type Transaction = { tx: Tx; commitWith: SendWrites };

type Work = {
  ctx: CoreContext;
  push: Push;
  reader: DeliveryReader;
  traceId: string | null;
  locked: LockedForPush;
  startedAt: number;
};

async function recordLocked(transaction: Transaction, work: Work): Promise<RecordedPush> {
  const { tx } = transaction;
  const { ctx, push, reader, traceId, locked } = work;
  const { shipment } = locked;
  const { accountId, shipmentId } = push;
  const nowMs = Date.parse(locked.now);
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
  const unreadable = countUnreadable(read.unreadable);
  const isUnreadable = read.events.length === 0 && unreadable !== null;
  const noted = read.events.length > 0 ? continueTracking(work, { journey, outcome, nowMs }) : null;
  const visible = findVisibleChanges(
    { journey: shipment.journey, tracking: shipment.tracking },
    { journey, tracking: noted ?? shipment.tracking, added },
  );
  const context = { events, addedIds: reading.inserts.map(({ event }) => event.id) };
  const journeyText = ctx.journeyText?.(journey) ?? null;
  const traceparent = ctx.traceparent();
  const publication = { shipment, journey, journeyText, statusChangedAt, visible, context, traceId, traceparent };
  const refresh: Refresh = {
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
  };
  await writePushes(transaction, {
    accountId,
    writes: [
      {
        shipmentId,
        reading,
        unreadableEvents: read.unreadable,
        refreshes: [refresh],
        outcome: noted,
        publication: changed || visible.length > 0 ? publication : null,
      },
    ],
  });
  return outcome;
}

type Context = { reader: DeliveryReader; stored: readonly TrackingEvent[]; storedRaws: ReadonlyMap<string, unknown> };
type ReadPush = { events: ReadEvent[]; unreadable: { raw: unknown; reason: string }[] };

/**
 * Reads the pushed events together with the stored ones. The meaning of some events depends on the others, so a stored
 * event may now be read with another code.
 */
function readInContext(raws: readonly unknown[], { reader, stored, storedRaws }: Context): ReadPush {
  const known = stored.filter((event) => isLive(event) && storedRaws.has(event.id));
  const outcomes = reader.readEvents([...known.map((event) => storedRaws.get(event.id)), ...raws]);
  const read: ReadPush = { events: [], unreadable: [] };
  for (const [index, outcome] of outcomes.entries()) {
    const row = known[index];
    if (row !== undefined) {
      if (!('reason' in outcome) && isReadOtherwise(outcome, row, reader.source)) read.events.push(outcome);
      continue;
    }
    if ('reason' in outcome) read.unreadable.push({ raw: raws[index - known.length], reason: outcome.reason });
    else read.events.push(outcome);
  }
  return read;
}

/** Differs in its code alone: other differences come from a newer release and are left to the next refresh. */
function isReadOtherwise(event: ReadEvent, row: TrackingEvent, source: string): boolean {
  const sameButCode =
    revisionText({ ...event, code: row.code }, source) === revisionText(row, source) &&
    statementText(event) === statementText(row);
  return sameButCode && event.code !== row.code;
}

type Composed = { journey: Parameters<typeof nextRefresh>[0]['journey']; outcome: RefreshOutcome; nowMs: number };

/**
 * Tracking after the push: active if the carrier had no data so far, otherwise unchanged, so that a polling failure
 * stays visible. A push never completes tracking, because earlier events may still be on their way. When the journey
 * is over, one more refresh follows soon and reads all of it.
 */
function continueTracking(work: Work, { journey, outcome, nowMs }: Composed): Omit<PushOutcome, 'shipmentId'> {
  const { ctx, reader, traceId, locked } = work;
  const { shipment, trackingSince } = locked;
  const { state, reason, consecutiveFailures, lastSucceededAt, lastChangedAt } = shipment.tracking;
  const schedule = nextRefresh(
    {
      mode: shipment.transportMode,
      state,
      reason,
      journey,
      outcome,
      outcomeReason: null,
      permanent: false,
      retryAfterMs: null,
      consecutiveFailures,
      trackingSinceMs: Date.parse(trackingSince),
      resumedAtMs: trackingSince === shipment.createdAt ? null : Date.parse(trackingSince),
      lastSucceededAtMs: lastSucceededAt === null ? null : Date.parse(lastSucceededAt),
      lastChangedAtMs: lastChangedAt === null ? null : Date.parse(lastChangedAt),
      random: Math.random(),
      cadenceScale: 1 / ctx.settings.cadenceScale,
      pushActive: true,
    },
    nowMs,
  );
  const begins = state === 'queued' || state === 'awaiting_carrier';
  const lastRefreshMs = Math.max(2000, 60_000 * Math.min(1, ctx.settings.cadenceScale));
  return {
    ...(begins ? { state: 'active' as const, reason: null } : { state, reason }),
    nextRefreshInS:
      Math.max(0, schedule.nextRefreshAtMs === null ? lastRefreshMs : schedule.nextRefreshAtMs - nowMs) / 1000,
    staleInS: schedule.staleAtMs === null ? null : Math.max(0, (schedule.staleAtMs - nowMs) / 1000),
    endsInS: null,
    source: reader.source,
    traceId,
    traceKept: ctx.keepsTrace(),
    changed: outcome === 'changed',
    fenced: begins,
  };
}
