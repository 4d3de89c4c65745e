import { isUnavailable } from '#shared/domain/errors.ts';
import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { shownFreeTime } from '#shared/domain/free-time/shown-free-time.ts';
import type { FreeTimeRules } from '#shared/domain/free-time/terms.ts';
import { composeFrom } from '#shared/domain/journey/journey.ts';
import type { Journey, Shipment } from '#shared/domain/record/shipment.ts';
import { isTrackingEnded } from '#shared/domain/refresh/cadence.ts';
import { readLockedEvents } from '#shared/store/settling/settled-shipments.ts';
import { isTransactionConflict } from '#shared/store/store-errors.ts';
import { findRecomposable } from '#shared/store/system/tracking/find-recomposable.ts';
import { keepRecord, lockShipments } from '#shared/store/tracking/journeys.ts';
import { readTime, type Tx, withAccount, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { readFreeTimeRules } from '../free-time/free-time-rules.ts';
import { findVisibleChanges, type Publication, publishJourneys, writeJourneys } from './publish-journeys.ts';

/** Shipments per call. Each account is one transaction, which locks its rows. */
export const recomposeBatchSize = 100;

/**
 * Composes the records that a migration has marked again, from their stored events, up to `recomposeBatchSize` of them.
 * Returns how many were found; 0 if all of them were locked elsewhere. Those are left for the next call. A record that cannot
 * be composed stays as it is and delays no other. Any number of processes may call it.
 */
export async function recomposeJourneys(ctx: CoreContext): Promise<number> {
  const found = await withSystem(ctx.store, (tx) => findRecomposable(tx, recomposeBatchSize));
  const done = await recomposeFound(ctx, found, keepRecord);
  return done === 0 ? 0 : [...found.values()].flat().length;
}

/** Leaves a record that can't be composed, so that it is not found again soon. */
type KeepRecord = (tx: Tx, accountId: string, shipmentId: string) => Promise<void>;

/**
 * Composes records again, each account's in one transaction, or one by one if that fails. Returns how many were not
 * locked elsewhere.
 */
export async function recomposeFound(
  ctx: CoreContext,
  found: ReadonlyMap<string, readonly string[]>,
  keep: KeepRecord,
): Promise<number> {
  let done = 0;
  for (const [accountId, ids] of found) done += await recomposeTogether(ctx, { accountId, ids }, keep);
  return done;
}

type Found = { accountId: string; ids: readonly string[] };

async function recomposeTogether(ctx: CoreContext, { accountId, ids }: Found, keep: KeepRecord): Promise<number> {
  try {
    return await recomposeOf(ctx, accountId, ids);
  } catch (error) {
    if (isTransient(error)) throw error;
  }
  let done = 0;
  for (const id of ids) done += await recomposeAlone(ctx, { accountId, shipmentId: id }, keep);
  return done;
}

async function recomposeAlone(
  ctx: CoreContext,
  { accountId, shipmentId }: { accountId: string; shipmentId: string },
  keep: KeepRecord,
): Promise<number> {
  try {
    return await recomposeOf(ctx, accountId, [shipmentId]);
  } catch (error) {
    if (isTransient(error)) throw error;
    ctx.log.error({ err: error, shipmentId, accountId }, 'composing a stored record again failed; keeping it as it is');
    await withAccount(ctx.store, accountId, (tx) => keep(tx, accountId, shipmentId));
    return 1;
  }
}

/** Nothing is wrong with the record: the next call composes it. */
function isTransient(error: unknown): boolean {
  return isUnavailable(error) || isTransactionConflict(error);
}

/** Returns how many were not locked elsewhere. */
function recomposeOf(ctx: CoreContext, accountId: string, ids: readonly string[]): Promise<number> {
  return withAccount(ctx.store, accountId, async (tx) => {
    const shipments = await lockShipments(tx, accountId, { ids, waits: false });
    const events = await readLockedEvents(tx, accountId, [...shipments.keys()]);
    const nowMs = (await readTime(tx)).getTime();
    const rules = await readFreeTimeRules(ctx, tx, accountId);
    const writes = [...shipments.values()].map((shipment) =>
      recompose(ctx, shipment, { events: events.get(shipment.id) ?? [], nowMs, rules: rules(shipment) }),
    );
    await publishJourneys(
      tx,
      accountId,
      writes.filter((write) => write.visible.length > 0),
    );
    const silent = writes.filter((write) => write.visible.length === 0);
    await writeJourneys(
      tx,
      accountId,
      silent.map((write) => ({ ...write, isVisible: false })),
    );
    return shipments.size;
  });
}

function recompose(
  ctx: CoreContext,
  shipment: Shipment,
  { events, nowMs, rules }: { events: readonly TrackingEvent[]; nowMs: number; rules: FreeTimeRules },
): Publication {
  const { journey, statusChangedAt } = composeFrom(events, shipment, {
    nowMs,
    rules,
    isTrackingEnded: isTrackingEnded(shipment.tracking.state),
  });
  const { tracking } = shipment;
  const visible = findVisibleChanges({ journey: shipment.journey, tracking }, { journey, tracking });
  // Readers of the feed keep copies, so a corrected delay is a change, too, and so are another day and its cost.
  if (visible.length === 0 && !isShownAlike(shipment.journey, journey))
    visible.push({ type: 'shipment.updated', changes: {} });
  return {
    shipment,
    journey,
    statusChangedAt,
    visible,
    context: { events, addedIds: [] },
    traceId: null,
    traceparent: ctx.traceparent(),
    journeyText: ctx.journeyText?.(journey) ?? null,
  };
}

function isShownAlike(before: Journey, after: Journey): boolean {
  return before.delayHours === after.delayHours && freeTimeText(before) === freeTimeText(after);
}

/** Returns the parts of the containers that time and terms change. */
function freeTimeText({ containers }: Journey): string {
  return containers
    .map((container) => {
      const { clocks, lastFreeDay } = shownFreeTime(container);
      const ofClocks = clocks.map(({ kind, state, lastFreeDay: day, daysLeft, freeDays, counting, cost }) =>
        [kind, state, day, daysLeft, freeDays, counting, cost?.amount, cost?.currency, cost?.isFloor].join(' '),
      );
      const { effective, source, line, terminal, calculated, manual } = lastFreeDay;
      const isKnown = container.freeTime?.facts !== undefined;
      return [container.number, isKnown, effective, source, line, terminal, calculated, manual, ...ofClocks].join(' ');
    })
    .join('\n');
}
