import { dedupeText, localMinute, revisionText } from '../registration/dedupe.ts';
import type { ReadEvent, TrackingEvent } from './event.ts';
import { compareText, eventTimeMs, isLive, placeKey } from './event-order.ts';
import { findRezoned } from './rezoned-events.ts';

/** The row that replaces another one: an existing row, or one of the plan's own inserts by its dedupe text. */
export type Successor = { id: string } | { dedupeText: string };

export type RevisionInsert = { event: ReadEvent; dedupeText: string; supersededBy: Successor | null };

export type RevisionPlan = {
  /** New rows, oldest first. The rest of the reading is known already. */
  inserts: RevisionInsert[];
  /** Existing live rows that an insert of this plan replaces. */
  superseded: { id: string; by: Successor }[];
};

export type RevisionSettings = {
  connectorFamily: string;
  /**
   * True (default) when the reading has everything that the carrier knows. Only then does a missing actual time mean
   * that another one replaced it. A push or an incremental refresh can still revise planned and estimated times.
   */
  complete?: boolean;
  /**
   * True when the carrier guarantees stable event ids; default: false. A changed event then replaces the one with its
   * id.
   */
  stableEventIds?: boolean;
};

type PlanSettings = Pick<Required<RevisionSettings>, 'connectorFamily' | 'complete'>;

type StoredGroup = { live: TrackingEvent[]; all: TrackingEvent[] };

/**
 * Decides what one refresh adds to the stored events and which rows it replaces. Append-only and idempotent: the same
 * refresh again, or with its events duplicated or shuffled, adds nothing. A time that was replaced and comes back is a
 * new row (its dedupe text has an occurrence number) and is current again. `existing` is every row of the shipment,
 * including superseded and voided ones.
 */
export function planRevisions(
  existing: readonly TrackingEvent[],
  incoming: readonly ReadEvent[],
  { connectorFamily, complete = true, stableEventIds = false }: RevisionSettings,
): RevisionPlan {
  const stored = new Map<string, StoredGroup>();
  for (const event of existing) {
    const key = revisionText(event, connectorFamily);
    const group = stored.get(key) ?? { live: [], all: [] };
    group.all.push(event);
    if (isLive(event)) group.live.push(event);
    stored.set(key, group);
  }
  const read = new Map<string, ReadEvent[]>();
  for (const event of oldestFirst(incoming)) {
    const key = revisionText(event, connectorFamily);
    read.set(key, [...(read.get(key) ?? []), event]);
  }

  const plan: RevisionPlan = { inserts: [], superseded: [] };
  for (const [key, events] of read) {
    const group = stored.get(key) ?? { live: [], all: [] };
    const fresh = onePerMinute(events).filter(
      (event) =>
        !group.all.some((row) => row.voidedAt !== null && sameMinute(row, event)) &&
        (complete || !isFormerTime(event, group.all, existing)),
    );
    if (events[0]?.classifier === 'actual') planActual(plan, group, fresh, { connectorFamily, complete });
    else planExpected(plan, group, fresh, connectorFamily);
  }
  for (const { row, event, dedupeText: text } of findRezoned(existing, incoming, { connectorFamily, plan })) {
    plan.inserts.push({ event, dedupeText: text, supersededBy: null });
    plan.superseded.push({ id: row.id, by: { dedupeText: text } });
  }
  replaceReread(plan, existing, incoming, connectorFamily);
  if (stableEventIds) replaceSameId(plan, existing, incoming, connectorFamily);
  plan.inserts.sort(
    (left, right) =>
      eventTimeMs(left.event) - eventTimeMs(right.event) || compareText(left.dedupeText, right.dedupeText),
  );
  plan.superseded.sort((left, right) => compareText(left.id, right.id));
  return plan;
}

/**
 * An actual time that the carrier no longer reports is replaced by the nearest new one of this refresh. Absence alone
 * retracts nothing.
 */
function planActual(plan: RevisionPlan, group: StoredGroup, read: readonly ReadEvent[], settings: PlanSettings): void {
  const added = read.filter((event) => !group.live.some((row) => sameMinute(row, event)));
  for (const event of added) {
    plan.inserts.push({
      event,
      dedupeText: nextDedupeText(group, event, settings.connectorFamily),
      supersededBy: null,
    });
  }
  if (!settings.complete) return;
  const gone = group.live.filter((row) => !read.some((event) => sameMinute(row, event)));
  const pairs = gone.flatMap((row) =>
    added.map((event) => ({ row, event, distanceMs: Math.abs(eventTimeMs(row) - eventTimeMs(event)) })),
  );
  pairs.sort(
    (left, right) =>
      left.distanceMs - right.distanceMs ||
      compareText(left.row.id, right.row.id) ||
      eventTimeMs(left.event) - eventTimeMs(right.event),
  );
  const paired = new Set<TrackingEvent | ReadEvent>();
  for (const { row, event } of pairs) {
    if (paired.has(row) || paired.has(event)) continue;
    paired.add(row).add(event);
    plan.superseded.push({ id: row.id, by: { dedupeText: nextDedupeText(group, event, settings.connectorFamily) } });
  }
}

/**
 * An event whose code is mapped differently now, because its neighbors changed, is still one event: the new row
 * replaces the old.
 */
function replaceReread(
  plan: RevisionPlan,
  existing: readonly TrackingEvent[],
  incoming: readonly ReadEvent[],
  connectorFamily: string,
): void {
  const shown = new Set(incoming.map((event) => dedupeText(event, connectorFamily)));
  const replaced = new Set(plan.superseded.map(({ id }) => id));
  for (const row of existing) {
    if (!isLive(row) || row.carrierCode === null || replaced.has(row.id) || shown.has(dedupeText(row, connectorFamily)))
      continue;
    const reread = plan.inserts.find(({ event, supersededBy }) => supersededBy === null && isReread(event, row));
    if (reread !== undefined) plan.superseded.push({ id: row.id, by: { dedupeText: reread.dedupeText } });
  }
}

/**
 * An id that belongs to one row and one event, and now says something else (another place, another container), replaces
 * that row.
 */
function replaceSameId(
  plan: RevisionPlan,
  existing: readonly TrackingEvent[],
  incoming: readonly ReadEvent[],
  connectorFamily: string,
): void {
  const rows = Map.groupBy(existing.filter(isLive), ({ sourceEventId }) => sourceEventId);
  const events = Map.groupBy(incoming, ({ sourceEventId }) => sourceEventId);
  const replaced = new Set(plan.superseded.map(({ id }) => id));
  for (const { event, dedupeText: text, supersededBy } of plan.inserts) {
    const id = event.sourceEventId;
    const [row, ...others] = rows.get(id) ?? [];
    const said = new Set(events.get(id)?.map((each) => dedupeText(each, connectorFamily)));
    if (id === null || row === undefined || others.length > 0 || said.size > 1) continue;
    if (supersededBy !== null || replaced.has(row.id) || isOlderThan(event, row)) continue;
    plan.superseded.push({ id: row.id, by: { dedupeText: text } });
  }
}

function isReread(event: ReadEvent, row: TrackingEvent): boolean {
  return (
    event.code !== row.code &&
    event.carrierCode === row.carrierCode &&
    event.classifier === row.classifier &&
    event.container === row.container &&
    event.document === row.document &&
    event.empty === row.empty &&
    placeKey(event.location) === placeKey(row.location) &&
    sameMinute(event, row)
  );
}

/** One row of a plan or an estimate is current: the one that the carrier created last. The others are its history. */
function planExpected(
  plan: RevisionPlan,
  group: StoredGroup,
  read: readonly ReadEvent[],
  connectorFamily: string,
): void {
  const latest = read.at(-1);
  if (latest === undefined) return;
  const current = [...group.live].sort(compareStored).at(-1);
  const isNews = current === undefined || (!sameMinute(current, latest) && !isOlderThan(latest, current));
  const successor: Successor =
    isNews || current === undefined
      ? { dedupeText: nextDedupeText(group, latest, connectorFamily) }
      : { id: current.id };

  for (const event of read) {
    if (isNews && event === latest) {
      plan.inserts.push({ event, dedupeText: nextDedupeText(group, event, connectorFamily), supersededBy: null });
    } else if (!group.all.some((row) => sameMinute(row, event))) {
      plan.inserts.push({ event, dedupeText: dedupeText(event, connectorFamily), supersededBy: successor });
    }
  }
  for (const row of group.live) if (isNews || row !== current) plan.superseded.push({ id: row.id, by: successor });
}

/**
 * A push may be late or duplicated. It doesn't bring back a time that was replaced, unless the carrier has stated it
 * anew. A row that was only mapped differently kept its time and was not replaced.
 */
function isFormerTime(event: ReadEvent, group: readonly TrackingEvent[], existing: readonly TrackingEvent[]): boolean {
  return group.some((row) => {
    if (isLive(row) || !sameMinute(row, event)) return false;
    if (event.sourceCreatedAt !== null && row.sourceCreatedAt !== null && createdMs(event) > createdMs(row))
      return false;
    const seen = new Set<TrackingEvent>();
    let last: TrackingEvent = row;
    while (last.supersededBy !== null && sameMinute(last, row) && !seen.has(last)) {
      seen.add(last);
      const next = existing.find(({ id }) => id === last.supersededBy);
      if (next === undefined) return true;
      last = next;
    }
    return !sameMinute(last, row);
  });
}

function nextDedupeText(group: StoredGroup, event: ReadEvent, connectorFamily: string): string {
  const occurrence = group.all.filter((row) => sameMinute(row, event)).length;
  return dedupeText(event, connectorFamily, occurrence);
}

/** One event per minute, of each the last created one, oldest first. Takes them oldest first. */
function onePerMinute(events: readonly ReadEvent[]): ReadEvent[] {
  const byMinute = new Map<string, ReadEvent>();
  for (const event of events) {
    byMinute.delete(localMinute(event));
    byMinute.set(localMinute(event), event);
  }
  return [...byMinute.values()];
}

function sameMinute(left: Pick<ReadEvent, 'time'>, right: Pick<ReadEvent, 'time'>): boolean {
  return localMinute(left) === localMinute(right);
}

/** Without a carrier's timestamp the order of receipt counts: then nothing that arrives now is older. */
function isOlderThan(incoming: ReadEvent, current: TrackingEvent): boolean {
  return (
    incoming.sourceCreatedAt !== null && current.sourceCreatedAt !== null && createdMs(incoming) < createdMs(current)
  );
}

/** In the carrier's order. Each time is parsed once, not for each compared pair. */
function oldestFirst(events: readonly ReadEvent[]): ReadEvent[] {
  return events
    .map((event) => ({ event, madeMs: createdMs(event), atMs: eventTimeMs(event) }))
    .sort(
      (left, right) =>
        left.madeMs - right.madeMs ||
        left.atMs - right.atMs ||
        compareText(left.event.time.local, right.event.time.local) ||
        compareText(canonicalBody(left.event), canonicalBody(right.event)),
    )
    .map(({ event }) => event);
}

function compareStored(left: TrackingEvent, right: TrackingEvent): number {
  return (
    createdMs(left) - createdMs(right) ||
    compareText(left.receivedAt, right.receivedAt) ||
    compareText(left.id, right.id)
  );
}

function createdMs(event: Pick<ReadEvent, 'sourceCreatedAt'>): number {
  return event.sourceCreatedAt === null ? 0 : Date.parse(event.sourceCreatedAt);
}

function canonicalBody({ raw: _raw, ...event }: ReadEvent): string {
  return JSON.stringify(event);
}
