import type { Reading, TrackingEvent } from '#shared/domain/events/event.ts';
import { isSameRoute } from '#shared/domain/events/event-place.ts';
import type { FreeTimeRules } from '#shared/domain/free-time/terms.ts';
import { composeFrom } from '#shared/domain/journey/journey.ts';
import { isSameFacts, mergeFacts } from '#shared/domain/journey/stated-facts.ts';
import type { Journey, RecordEvent, RefreshOutcome, Shipment } from '#shared/domain/record/shipment.ts';
import type { CadenceResult } from '#shared/domain/refresh/cadence.ts';
import { planRevisions, type Successor } from '#shared/domain/refresh/revisions.ts';
import { isStatedAlready } from '#shared/domain/refresh/statements.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import type { NewEvent } from '#shared/store/tracking/events.ts';
import type { CoreContext } from '../core-context.ts';
import type { AccountRules } from '../free-time/free-time-rules.ts';
import { changesTracking, type PreparedRefresh, scheduleNextRefresh } from './prepare-refresh.ts';
import { findVisibleChanges, type Publication } from './publish-journeys.ts';

/** The data that recording a refresh reads from the database, and the data known without it. */
export type RefreshDraft = { refresh: PreparedRefresh } & (
  | { needs: 'events'; read: Reading }
  | { needs: 'nothing' | 'shipment' | 'events'; read: null; outcome: RefreshOutcome; schedule: CadenceResult }
);

/** Rows that a refresh writes. */
export type RefreshWrite = {
  refresh: PreparedRefresh;
  outcome: RefreshOutcome;
  schedule: CadenceResult;
  /** Null: there is no new reading. */
  reading: MergedReading | null;
  /** Null keeps the last one. */
  readingHash: string | null;
  /** Null: nothing visible changes. */
  publication: Publication | null;
};

/** Decides what has to be locked and read, which for a repeated error is nothing. */
export function draftRefresh(ctx: CoreContext, refresh: PreparedRefresh): RefreshDraft {
  const { subject, result, isSameReading, hasEligibleEvent } = refresh;
  if (result.outcome === 'found' && (!isSameReading || hasEligibleEvent)) {
    return { refresh, needs: 'events', read: result.reading };
  }
  const outcome: RefreshOutcome = result.outcome === 'found' ? 'unchanged' : result.outcome;
  const schedule = scheduleNextRefresh(ctx, refresh, { journey: subject.journey, outcome });
  const needs = hasEligibleEvent ? 'events' : changesTracking(subject, schedule) ? 'shipment' : 'nothing';
  return { refresh, needs, read: null, outcome, schedule };
}

/** Composes the writes for a locked shipment and its events; null: the draft needs a shipment, and there is none. */
export function composeRefresh(
  ctx: CoreContext,
  draft: RefreshDraft,
  { shipment, stored, rules }: { shipment: Shipment | null; stored: readonly TrackingEvent[]; rules: AccountRules },
): RefreshWrite | null {
  if (draft.read !== null) return shipment && withReading(ctx, draft, { shipment, stored, rules });
  if (draft.needs !== 'nothing') return shipment && withoutReading(ctx, draft, { shipment, stored, rules });
  const { refresh, outcome, schedule } = draft;
  return { refresh, outcome, schedule, reading: null, readingHash: null, publication: null };
}

type Stored = { shipment: Shipment; stored: readonly TrackingEvent[]; rules: AccountRules };

function withReading(
  ctx: CoreContext,
  { refresh, read }: RefreshDraft & { read: Reading },
  { shipment, stored, rules }: Stored,
): RefreshWrite {
  const { nowMs, traceId, traceparent } = refresh;
  const applied = applyReading(shipment, stored, {
    read,
    nowMs,
    rules: rules(shipment),
    partial: read.partial !== undefined,
  });
  const { changed, reading, events, journey, statusChangedAt } = applied;
  const addedIds = reading.inserts.map(({ event }) => event.id);
  const outcome: RefreshOutcome = changed ? 'changed' : 'unchanged';
  const schedule = scheduleNextRefresh(ctx, refresh, { journey, outcome });
  const visible = findVisibleChanges(
    { journey: shipment.journey, tracking: shipment.tracking },
    { journey, tracking: schedule, added: applied.added },
  );
  const write = { refresh, outcome, schedule, reading, readingHash: refresh.readingHash };
  if (!changed && visible.length === 0) return { ...write, publication: null };
  const context = { events, addedIds };
  const journeyText = ctx.journeyText?.(journey) ?? null;
  return {
    ...write,
    publication: { shipment, journey, journeyText, statusChangedAt, visible, context, traceId, traceparent },
  };
}

/**
 * The journey stays as it is, unless one of its events has become eligible. The reading's hash stays too: a client's
 * change may have cleared it since then, so that the next reading is recorded in full.
 */
function withoutReading(
  ctx: CoreContext,
  { refresh, outcome, schedule }: RefreshDraft & { read: null },
  { shipment, stored, rules }: Stored,
): RefreshWrite {
  const { hasEligibleEvent, nowMs, traceId, traceparent } = refresh;
  const composed = hasEligibleEvent ? composeFrom(stored, shipment, { nowMs, rules: rules(shipment) }) : null;
  const { journey, statusChangedAt } = composed ?? shipment;
  const visible = findVisibleChanges(
    { journey: shipment.journey, tracking: shipment.tracking },
    { journey, tracking: schedule },
  );
  const context = { events: stored, addedIds: [] };
  const journeyText = composed && (ctx.journeyText?.(journey) ?? null);
  const write = { shipment, journey, journeyText, statusChangedAt, context, keepsJourney: composed === null };
  const publication = { ...write, visible, traceId, traceparent };
  return { refresh, outcome, schedule, reading: null, readingHash: null, publication };
}

type ReadingToMerge = Pick<Reading, 'events' | 'source' | 'stableEventIds' | 'route' | 'facts'>;

export type AppliedReading = {
  reading: MergedReading;
  /** All events of the shipment afterwards, the client's included. */
  events: TrackingEvent[];
  journey: Journey;
  statusChangedAt: string | null;
  /** The new events that add a fact. */
  added: RecordEvent[];
  changed: boolean;
};

/** The journey after a carrier's reading. `partial`: as for `mergeReading`. */
export function applyReading(
  shipment: Shipment,
  stored: readonly TrackingEvent[],
  {
    read,
    nowMs,
    rules,
    partial = false,
  }: { read: ReadingToMerge; nowMs: number; rules: FreeTimeRules; partial?: boolean },
): AppliedReading {
  // A carrier's reading neither repeats nor replaces what a client reported.
  const [carrierEvents, clientEvents] = [true, false].map((isCarriers) =>
    stored.filter((event) => (event.source !== 'client') === isCarriers),
  ) as [TrackingEvent[], TrackingEvent[]];
  const reading = mergeReading(carrierEvents, read, nowMs, { partial });
  const { facts: before } = shipment.journey;
  return applyMerged(shipment, stored, {
    reading: { ...reading, events: [...reading.events, ...clientEvents] },
    route: read.route,
    facts: mergeFacts(before, read.facts, { partial }),
    nowMs,
    rules,
  });
}

/** Merged state of a shipment: its events afterwards, and the carrier's facts on the whole of it. */
type Merged = {
  reading: MergedReading;
  nowMs: number;
  rules: FreeTimeRules;
  route?: Reading['route'] | undefined;
  facts?: Reading['facts'] | undefined;
};

/** The journey after one or more sources were merged. `reading.events` are all events of the shipment afterwards. */
export function applyMerged(
  shipment: Shipment,
  stored: readonly TrackingEvent[],
  { reading, nowMs, rules, ...merged }: Merged,
): AppliedReading {
  const { events } = reading;
  const before = shipment.journey;
  const route = merged.route ?? before.statedRoute;
  const facts = merged.facts ?? before.facts;
  const stated = {
    ...(route === undefined ? {} : { statedRoute: route }),
    ...(facts === undefined ? {} : { facts }),
  };
  const { journey, statusChangedAt, eventsOf } = composeFrom(
    events,
    { ...shipment, journey: stated },
    { nowMs, rules },
  );
  const changed =
    reading.inserts.length > 0 ||
    reading.superseded.length > 0 ||
    !isSameRoute(route, before.statedRoute) ||
    !isSameFacts(facts, before.facts) ||
    journey.status !== before.status ||
    journey.nextEligibleAt !== before.nextEligibleAt;
  return { reading, events, journey, statusChangedAt, added: eventsOf(newsOf(reading, stored)), changed };
}

/** Ids of the inserted events, without those that only add detail to a known fact. */
function newsOf({ inserts, superseded }: MergedReading, stored: readonly TrackingEvent[]): string[] {
  const rows = new Map(stored.map((row) => [row.id, row]));
  const replaced = Map.groupBy(superseded, ({ supersededBy }) => supersededBy);
  return inserts
    .filter(({ event }) => {
      const former = (replaced.get(event.id) ?? []).flatMap(({ id }) => rows.get(id) ?? []);
      return !former.some((row) => isStatedAlready(event, row));
    })
    .map(({ event }) => event.id);
}

/** Bytes of randomness in an event's id. */
const idBytes = 10;
/** Ids per draw of randomness, enough for nearly every reading: one draw costs as much as several ids. */
const idsPerDraw = 50;

/** The effect of one reading on the stored events: `events` is the whole set afterwards. */
export type MergedReading = {
  events: TrackingEvent[];
  inserts: NewEvent[];
  /** `supersededBy` null: the row counts again. */
  superseded: { id: string; supersededBy: string | null }[];
};

/**
 * Merges a reading into the stored events: which events are new, and which rows they replace. `nowMs` becomes the time
 * of receipt. `partial`: the reading shows only some of the carrier's events, so a missing event replaces nothing.
 */
export function mergeReading(
  stored: readonly TrackingEvent[],
  reading: ReadingToMerge,
  nowMs: number,
  { partial = false }: { partial?: boolean } = {},
): MergedReading {
  const plan = planRevisions(stored, reading.events, {
    // Push, polling and the simulator that stands in for a carrier share a family.
    connectorFamily: reading.source.replace(/^simulator:/, ''),
    complete: !partial,
    stableEventIds: reading.stableEventIds ?? false,
  });
  const receivedAt = new Date(nowMs).toISOString();
  const ids = newIds(plan.inserts, nowMs);
  const idOf = (successor: Successor): string => {
    const id = 'id' in successor ? successor.id : ids.get(successor.dedupeText);
    if (id === undefined) throw new Error('a revision names a successor that is not part of its plan');
    return id;
  };
  const inserts = plan.inserts.map(({ event: { raw, ...body }, dedupeText, supersededBy }): NewEvent => {
    const successor = supersededBy === null ? null : idOf(supersededBy);
    return {
      event: {
        ...body,
        id: idOf({ dedupeText }),
        dedupeKey: dedupeText,
        receivedAt,
        supersededBy: successor,
        voidedAt: null,
      },
      raw,
    };
  });
  const superseded = plan.superseded.map(({ id, by }) => ({ id, supersededBy: idOf(by) }));
  const replaced = new Map(superseded.map(({ id, supersededBy }) => [id, supersededBy]));
  const kept = stored.map((event) => ({ ...event, supersededBy: replaced.get(event.id) ?? event.supersededBy }));
  return { events: [...kept, ...inserts.map((insert) => insert.event)], inserts, superseded };
}

function newIds(inserts: readonly { dedupeText: string }[], nowMs: number): Map<string, string> {
  const ids = new Map<string, string>();
  for (let start = 0; start < inserts.length; start += idsPerDraw) {
    const part = inserts.slice(start, start + idsPerDraw);
    const random = globalThis.crypto.getRandomValues(new Uint8Array(part.length * idBytes));
    for (const [index, { dedupeText }] of part.entries())
      ids.set(dedupeText, uuidv7(nowMs, random.subarray(index * idBytes)));
  }
  return ids;
}
