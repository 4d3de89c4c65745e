import { LandfallError } from '#shared/domain/errors.ts';
import type { ReadEvent, TrackingEvent } from '#shared/domain/events/event.ts';
import type { RecordedRow } from '#shared/domain/events-in/event-row.ts';
import { planStatements, type Statement } from '#shared/domain/events-in/plan-statements.ts';
import { pushedTracking } from '#shared/domain/events-in/pushed-tracking.ts';
import { latestPosition } from '#shared/domain/events-in/vehicle-position.ts';
import { isClientCancellation } from '#shared/domain/journey/client-cancellation.ts';
import type { VehiclePosition } from '#shared/domain/positions/vehicle-position.ts';
import type { Journey, RecordEvent } from '#shared/domain/record/shipment.ts';
import { encodeTypeId, uuidv7 } from '#shared/domain/type-id.ts';
import type { LockedForPush, PushOutcome } from '#shared/store/carrier-subscriptions/push-record.ts';
import type { NewEvent } from '#shared/store/tracking/events.ts';
import { maxRefreshes, type Refresh } from '#shared/store/tracking/refreshes.ts';
import type { PushWrite } from '../carrier-subscriptions/write-pushes.ts';
import { type CoreContext, traceIdOf } from '../core-context.ts';
import type { AccountRules } from '../free-time/free-time-rules.ts';
import { applyMerged, type MergedReading } from '../tracking/compose-refresh.ts';
import { findVisibleChanges, type Publication } from '../tracking/publish-journeys.ts';
import type { ReadRow } from './read-event-row.ts';

/** A row for one shipment. `place`: of the row in the request. */
export type PlacedRow = { place: number; sourceName: string; read: ReadRow };

export type ComposedStatements = {
  write: PushWrite;
  /** By the place of the row. */
  outcomes: Map<number, RecordedRow>;
  /** The latest position of these rows. Null: they have none. */
  position: VehiclePosition | null;
};

/** Events that clients may push about one shipment: composing a record reads all of them. */
export const maxPushedEvents = 2000;

type Statements = {
  stored: readonly TrackingEvent[];
  rows: readonly PlacedRow[];
  rules: AccountRules;
  startedAt: number;
};

/**
 * Composes the writes for rows about one locked shipment, each source by itself. Throws LandfallError `invalid_state`
 * if the shipment is archived, or if rows are new and it has the maximum number of events.
 */
export function composeStatements(
  ctx: CoreContext,
  locked: LockedForPush,
  { stored, rows, rules, startedAt }: Statements,
): ComposedStatements {
  const { shipment } = locked;
  refuseArchived(locked);
  const shipmentId = encodeTypeId('shp', shipment.id);
  const nowMs = Date.parse(locked.now);
  const merged: Merging = { events: [...stored], inserts: [], superseded: [] };
  const outcomes = new Map<number, RecordedRow>();
  const refreshes: Refresh[] = [];
  for (const [sourceName, own] of Map.groupBy(rows, (row) => row.sourceName)) {
    const said = own.flatMap(({ place, read: { event } }) => (event === null ? [] : [{ place, event }]));
    const plan = mergeSource(merged, { sourceName, said: said.map(({ event }) => event), nowMs });
    for (const [index, { outcome, eventId }] of plan.outcomes.entries())
      outcomes.set(said[index]?.place ?? -1, { shipmentId, outcome, eventId: encodeTypeId('evt', eventId) });
    if (said.length > 0) refreshes.push(refreshOf(ctx, { sourceName, added: plan.inserts.length, startedAt }));
  }
  if (merged.inserts.length > 0) refuseFull(stored);
  for (const { place } of rows)
    if (!outcomes.has(place)) outcomes.set(place, { shipmentId, outcome: 'position_updated', eventId: null });
  const write = {
    shipmentId: shipment.id,
    ...(refreshes.length === 0
      ? nothing
      : composeChange(ctx, locked, { merged, stored, nowMs, rules, source: refreshes.at(-1)?.source ?? '' })),
    reading: merged,
    unreadableEvents: [],
    // The history keeps no more. A request may have hundreds of sources.
    refreshes: refreshes.slice(-maxRefreshes),
  };
  return { write, outcomes, position: latestPosition(rows.flatMap(({ read }) => read.position ?? [])) };
}

const nothing = { outcome: null, publication: null };

export function refuseArchived({ shipment }: LockedForPush): void {
  if (shipment.archivedAt === null) return;
  const detail = 'The shipment is archived and accepts no events. Restore it first with PATCH and {"archived": false}.';
  throw new LandfallError('invalid_state', detail);
}

/** Known rows and positions are taken also then: a source repeats what was cut off, and a truck still drives. */
function refuseFull(stored: readonly TrackingEvent[]): void {
  if (stored.filter((event) => event.details?.sourceName !== undefined).length < maxPushedEvents) return;
  const detail = `The shipment already has ${maxPushedEvents.toLocaleString('en')} pushed events, the maximum.`;
  throw new LandfallError('invalid_state', detail);
}

/** The events of a shipment while one source after another is merged into them. */
export type Merging = MergedReading;

/** Merges what one source says into the events. With nothing said, it decides again which of its events count. */
export function mergeSource(
  merged: Merging,
  { sourceName, said, nowMs }: { sourceName: string; said: readonly ReadEvent[]; nowMs: number },
) {
  const receivedAt = new Date(nowMs).toISOString();
  const ids = newIds(said.length, nowMs);
  const statements = said.map((event, index): Statement => ({ id: ids[index] as string, event }));
  const own = merged.events.filter((event) => event.details?.sourceName === sourceName && event.source === 'client');
  const plan = planStatements(own, statements, { sourceName, receivedAt });
  const inserts = plan.inserts.map(({ id, event: { raw, ...event }, dedupeText, supersededBy }): NewEvent => {
    return { event: { ...event, id, dedupeKey: dedupeText, receivedAt, supersededBy, voidedAt: null }, raw };
  });
  const successors = new Map(plan.superseded.map(({ id, supersededBy }) => [id, supersededBy]));
  // A request may have hundreds of sources.
  if (successors.size > 0)
    merged.events = merged.events.map((event) => {
      const successor = successors.get(event.id);
      return successor === undefined ? event : { ...event, supersededBy: successor };
    });
  merged.events.push(...inserts.map(({ event }) => event));
  merged.inserts.push(...inserts);
  merged.superseded.push(...plan.superseded);
  return plan;
}

/** New UUIDs of this time in the order of their statements. */
function newIds(count: number, nowMs: number): string[] {
  const idBytes = 10;
  const random = globalThis.crypto.getRandomValues(new Uint8Array(count * idBytes));
  return Array.from({ length: count }, (_, place) => uuidv7(nowMs, random.subarray(place * idBytes))).sort();
}

type Change = {
  merged: Merging;
  stored: readonly TrackingEvent[];
  nowMs: number;
  rules: AccountRules;
  source: string;
  /** One of the events was just voided. Default: false. */
  isVoiding?: boolean;
};

/** The journey after the merge, and what a client sees of it. */
export function composeChange(
  ctx: CoreContext,
  locked: LockedForPush,
  { merged, stored, nowMs, rules, source, isVoiding = false }: Change,
): { outcome: PushWrite['outcome']; publication: Publication | null } {
  const { shipment } = locked;
  const isNew = merged.inserts.length > 0 || merged.superseded.length > 0;
  const applied =
    isNew || isVoiding ? applyMerged(shipment, stored, { reading: merged, nowMs, rules: rules(shipment) }) : null;
  const { journey, statusChangedAt } = applied ?? shipment;
  const changed = isVoiding || (applied?.changed ?? false);
  const outcome = outcomeOf(ctx, locked, { journey, events: merged.events, changed, nowMs, source });
  const visible = findVisibleChanges(
    { journey: shipment.journey, tracking: shipment.tracking },
    { journey, tracking: outcome ?? shipment.tracking, added: (applied?.added ?? []) as RecordEvent[] },
  );
  if (!changed && visible.length === 0) return { outcome, publication: null };
  const context = { events: merged.events, addedIds: merged.inserts.map(({ event }) => event.id) };
  const publication = {
    shipment,
    journey,
    statusChangedAt,
    visible,
    context,
    keepsJourney: applied === null,
    journeyText: applied === null ? null : (ctx.journeyText?.(journey) ?? null),
    traceId: traceIdOf(ctx),
    traceparent: ctx.traceparent(),
  };
  return { outcome, publication };
}

type Composed = {
  journey: Journey;
  events: readonly TrackingEvent[];
  changed: boolean;
  nowMs: number;
  source: string;
};

/** A polled carrier's schedule stays as it is. */
function outcomeOf(
  ctx: CoreContext,
  { shipment, trackingSince }: LockedForPush,
  { journey, events, changed, nowMs, source }: Composed,
): PushWrite['outcome'] {
  const { staleAfterHours, state, reason, lastChangedAt } = shipment.tracking;
  if (staleAfterHours === null) return null;
  const { staleAtMs, endsAtMs, ...tracking } = pushedTracking(
    {
      mode: shipment.transportMode,
      state,
      reason,
      isCancellationReverted:
        reason === 'booking_cancelled' && journey.status !== 'cancelled' && !events.some(isLiveCancellation),
      journey,
      changed,
      trackingSinceMs: Date.parse(trackingSince),
      resumedAtMs: trackingSince === shipment.createdAt ? null : Date.parse(trackingSince),
      lastChangedAtMs: lastChangedAt === null ? null : Date.parse(lastChangedAt),
      staleAfterHours,
    },
    nowMs,
  );
  const secondsUntil = (atMs: number | null) => (atMs === null ? null : Math.max(0, (atMs - nowMs) / 1000));
  return {
    ...tracking,
    nextRefreshInS: null,
    staleInS: secondsUntil(staleAtMs),
    endsInS: secondsUntil(endsAtMs),
    source,
    traceId: traceIdOf(ctx),
    traceKept: ctx.keepsTrace(),
    changed,
    fenced: false,
  } satisfies Omit<PushOutcome, 'shipmentId'>;
}

/** Only the account itself can resume a shipment that it cancelled. */
function isLiveCancellation(event: TrackingEvent): boolean {
  return isClientCancellation(event) && event.voidedAt === null;
}

function refreshOf(
  ctx: CoreContext,
  { sourceName, added, startedAt }: { sourceName: string; added: number; startedAt: number },
): Refresh {
  return {
    outcome: added > 0 ? 'changed' : 'unchanged',
    reason: null,
    httpStatus: null,
    durationMs: Math.round(performance.now() - startedAt),
    eventsAdded: added,
    source: `client:${sourceName}`,
    traceId: traceIdOf(ctx),
    traceKept: ctx.keepsTrace(),
  };
}
