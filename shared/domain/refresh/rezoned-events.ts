import { dedupeText } from '../events/dedupe.ts';
import type { ReadEvent, TrackingEvent } from '../events/event.ts';
import { isLive } from '../events/event-order.ts';
import { isOlderThan } from './statements.ts';

/** `dedupeText` is that of the new row. */
export type RezonedEvent = { row: TrackingEvent; event: ReadEvent; dedupeText: string };

type Planned = { superseded: readonly { id: string }[] };

/**
 * Stored events whose local time is read in another zone now, because the lists of places were corrected: the same text
 * of the carrier means another instant. Only for times whose zone is that of the place. Excludes rows that the plan
 * replaces already and rows that the carrier stated after the event; at most one row for each event.
 */
export function findRezoned(
  existing: readonly TrackingEvent[],
  incoming: readonly ReadEvent[],
  { connectorFamily, plan }: { connectorFamily: string; plan: Planned },
): RezonedEvent[] {
  if (!existing.some(hasZoneOfPlace) && !incoming.some(hasZoneOfPlace)) return [];
  const replaced = new Set(plan.superseded.map(({ id }) => id));
  const read = Map.groupBy(incoming, (event) => dedupeText(event, connectorFamily));
  const stored = existing.map((row) => ({ row, text: dedupeText(row, connectorFamily) }));
  return stored.flatMap(({ row, text }) => {
    const events = read.get(text) ?? [];
    const event = events.at(-1);
    if (event === undefined || !isLive(row) || replaced.has(row.id)) return [];
    if (![event, row].some(hasZoneOfPlace)) return [];
    if (events.some((each) => isSameMinute(each, row)) || isOlderThan(event, row)) return [];
    read.delete(text);
    const occurrence = stored.filter((other) => other.text === text).length;
    return [{ row, event, dedupeText: dedupeText(event, connectorFamily, occurrence) }];
  });
}

function hasZoneOfPlace({ time }: Pick<ReadEvent, 'time'>): boolean {
  return time.zoneSource !== 'carrier' && time.zoneSource !== 'assumed_utc';
}

/** Instants, not local times. Seconds may differ between two texts for one event. */
function isSameMinute(left: Pick<ReadEvent, 'time'>, right: Pick<ReadEvent, 'time'>): boolean {
  return left.time.at.slice(0, 16) === right.time.at.slice(0, 16);
}
