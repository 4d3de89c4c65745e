import { dedupeText, revisionText } from '../events/dedupe.ts';
import type { ReadEvent, TrackingEvent } from '../events/event.ts';
import { compareText, eventTimeMs, isLive } from '../events/event-order.ts';
import { findRezoned } from './rezoned-events.ts';
import {
  compareStored,
  createdMs,
  isOlderThan,
  isReread,
  oldestFirst,
  oneOfEach,
  rereadKey,
  saysSame,
} from './statements.ts';

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
    const fresh = oneOfEach(events).filter(
      (event) =>
        !group.all.some((row) => row.voidedAt !== null && saysSame(row, event)) &&
        (complete || !isFormerTime(event, group.all, existing)),
    );
    if (events[0]?.classifier === 'actual') planActual(plan, group, fresh, { connectorFamily, complete });
    else planExpected(plan, group, fresh, { connectorFamily, complete });
  }
  for (const { row, event, dedupeText: text } of findRezoned(existing, incoming, { connectorFamily, plan })) {
    plan.inserts.push({ event, dedupeText: text, supersededBy: null });
    plan.superseded.push({ id: row.id, by: { dedupeText: text } });
  }
  const isStated = (row: TrackingEvent) => read.has(revisionText(row, connectorFamily));
  replaceReread(plan, existing, incoming, { connectorFamily, mayMove: (row) => complete && !isStated(row) });
  if (stableEventIds) replaceSameId(plan, existing, incoming, connectorFamily);
  plan.inserts.sort(
    (left, right) =>
      eventTimeMs(left.event) - eventTimeMs(right.event) || compareText(left.dedupeText, right.dedupeText),
  );
  plan.superseded.sort((left, right) => compareText(left.id, right.id));
  return plan;
}

/**
 * An actual time that the carrier no longer reports is replaced by the nearest new one of this refresh with the same
 * words or else the same carrier code. Absence alone retracts nothing.
 */
function planActual(plan: RevisionPlan, group: StoredGroup, read: readonly ReadEvent[], settings: PlanSettings): void {
  const { complete } = settings;
  const added = read.filter((event) => !group.live.some((row) => saysSame(row, event)));
  for (const event of added) {
    plan.inserts.push({
      event,
      dedupeText: nextDedupeText(group, event, settings.connectorFamily),
      supersededBy: null,
    });
  }
  if (!complete) return;
  const gone = group.live.filter((row) => !read.some((event) => saysSame(row, event)));
  const pairs = gone.flatMap((row) =>
    added
      .filter((event) => event.carrierCode === row.carrierCode)
      .map((event) => ({
        row,
        event,
        isOtherwise: Number(!saysSame(row, event)),
        distanceMs: Math.abs(eventTimeMs(row) - eventTimeMs(event)),
      })),
  );
  pairs.sort(
    (left, right) =>
      left.isOtherwise - right.isOtherwise ||
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
 * An event that is read differently now is still one event: the new row replaces the old. Its code may be mapped
 * differently because its neighbors changed or a release reads better, and the piece that it is about may be known only
 * now. The whole of the carrier's data may also state another place for it, and nothing more about the first.
 */
function replaceReread(
  plan: RevisionPlan,
  existing: readonly TrackingEvent[],
  incoming: readonly ReadEvent[],
  { connectorFamily, mayMove }: { connectorFamily: string; mayMove: (row: TrackingEvent) => boolean },
): void {
  const shown = new Set(incoming.map((event) => dedupeText(event, connectorFamily)));
  const replaced = new Set(plan.superseded.map(({ id }) => id));
  const inserts = Map.groupBy(plan.inserts, ({ event }) => rereadKey(event));
  for (const row of existing) {
    if (!isLive(row) || row.carrierCode === null || replaced.has(row.id) || shown.has(dedupeText(row, connectorFamily)))
      continue;
    const reread = inserts
      .get(rereadKey(row))
      ?.find(({ event, supersededBy }) => supersededBy === null && isReread(event, row, mayMove(row)));
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

/** One row of a plan or an estimate is current: the one that the carrier created last. The others are its history. */
function planExpected(
  plan: RevisionPlan,
  group: StoredGroup,
  read: readonly ReadEvent[],
  { connectorFamily }: PlanSettings,
): void {
  const latest = read.at(-1);
  if (latest === undefined) return;
  const current = [...group.live].sort(compareStored).at(-1);
  const isNews =
    current === undefined ||
    (saysSame(current, latest)
      ? cameBack(latest, { current, others: [...read, ...group.all] })
      : !isOlderThan(latest, current));
  const successor: Successor =
    isNews || current === undefined
      ? { dedupeText: nextDedupeText(group, latest, connectorFamily) }
      : { id: current.id };

  for (const event of read) {
    if (isNews && event === latest) {
      plan.inserts.push({ event, dedupeText: nextDedupeText(group, event, connectorFamily), supersededBy: null });
    } else if (!group.all.some((row) => saysSame(row, event))) {
      plan.inserts.push({ event, dedupeText: dedupeText(event, connectorFamily), supersededBy: successor });
    }
  }
  for (const row of group.live) if (isNews || row !== current) plan.superseded.push({ id: row.id, by: successor });
}

/**
 * True when the carrier restated the current time after another one that was never current here, because no reading
 * came in between. Otherwise an older response that still shows the other one would make it current again.
 */
function cameBack(
  latest: ReadEvent,
  { current, others }: { current: TrackingEvent; others: readonly (ReadEvent | TrackingEvent)[] },
): boolean {
  if (current.sourceCreatedAt === null) return false;
  const [sinceMs, untilMs] = [createdMs(current), createdMs(latest)];
  return others.some((other) => createdMs(other) > sinceMs && createdMs(other) < untilMs && !saysSame(other, latest));
}

/**
 * A push may be late or duplicated. It doesn't bring back a time that was replaced, unless the carrier has stated it
 * anew. A row that was only mapped differently kept its time and was not replaced.
 */
function isFormerTime(event: ReadEvent, group: readonly TrackingEvent[], existing: readonly TrackingEvent[]): boolean {
  return group.some((row) => {
    if (isLive(row) || !saysSame(row, event)) return false;
    if (event.sourceCreatedAt !== null && row.sourceCreatedAt !== null && createdMs(event) > createdMs(row))
      return false;
    const seen = new Set<TrackingEvent>();
    let last: TrackingEvent = row;
    while (last.supersededBy !== null && saysSame(last, row) && !seen.has(last)) {
      seen.add(last);
      const next = existing.find(({ id }) => id === last.supersededBy);
      if (next === undefined) return true;
      last = next;
    }
    return !saysSame(last, row);
  });
}

function nextDedupeText(group: StoredGroup, event: ReadEvent, connectorFamily: string): string {
  const occurrence = group.all.filter((row) => saysSame(row, event)).length;
  return dedupeText(event, connectorFamily, occurrence);
}
