import { dedupeText } from '../registration/dedupe.ts';
import type { ReadEvent, TrackingEvent } from './event.ts';
import { isLive } from './event-order.ts';

export type RezonedEvent = { row: TrackingEvent; event: ReadEvent };

/**
 * Stored events whose local time is read in another zone now, because the lists of places were corrected: the same text
 * of the carrier means another instant. An event that the carrier stated before the row changes nothing.
 */
export function findRezoned(
  existing: readonly TrackingEvent[],
  incoming: readonly ReadEvent[],
  connectorFamily: string,
): RezonedEvent[] {
  const read = Map.groupBy(incoming, (event) => dedupeText(event, connectorFamily));
  return existing.flatMap((row) => {
    if (!isLive(row)) return [];
    const events = read.get(dedupeText(row, connectorFamily)) ?? [];
    const event = events.at(-1);
    if (event === undefined || events.some((each) => isSameMinute(each, row)) || isOlder(event, row)) return [];
    return [{ row, event }];
  });
}

/** Instants, not local times. Seconds may differ between two texts for one event. */
function isSameMinute(left: Pick<ReadEvent, 'time'>, right: Pick<ReadEvent, 'time'>): boolean {
  return left.time.at.slice(0, 16) === right.time.at.slice(0, 16);
}

function isOlder(event: ReadEvent, row: TrackingEvent): boolean {
  return event.sourceCreatedAt !== null && row.sourceCreatedAt !== null && event.sourceCreatedAt < row.sourceCreatedAt;
}
