import type { RecordEvent } from '../shipments/shipment.ts';
import { compareFoldEvents } from '../shipments/status.ts';
import { compareText, eventTimeMs, seenAt } from './event-order.ts';

export type History = {
  /** What happened, newest first. A plan that has ended follows the event that it ended with. */
  happened: RecordEvent[];
  /** Plans and estimates that are still open, and actual events too far in the future to count, soonest first. */
  ahead: RecordEvent[];
};

/** The events of a journey in the order of what happened, with everything still open apart. */
export function orderHistory(events: readonly RecordEvent[]): History {
  const byId = new Map(events.map((event) => [event.id, event]));
  const placed = events
    .filter((event) => !isAhead(event))
    .map((event) => ({ event, end: event.fulfilledBy === null ? undefined : byId.get(event.fulfilledBy) }))
    .map(({ event, end }) => ({ event, end, at: end?.time.at ?? placeInTime(event) }));
  placed.sort(
    (left, right) =>
      compareText(right.at, left.at) ||
      Number(left.end !== undefined) - Number(right.end !== undefined) ||
      compareFoldEvents(right.event, left.event),
  );
  return {
    happened: placed.map(({ event }) => event),
    ahead: events.filter(isAhead).sort(compareFoldEvents),
  };
}

/** Whether the event is still to come. */
export function isAhead(event: RecordEvent): boolean {
  if (event.flags.includes('voided') || event.flags.includes('superseded')) return false;
  return event.classifier === 'actual' ? event.flags.includes('suspect_future') : event.fulfilledBy === null;
}

/** A replaced plan never happened: it belongs to the moment at which the carrier stated it. */
function placeInTime(event: RecordEvent): string {
  return event.classifier === 'actual' ? new Date(eventTimeMs(event)).toISOString() : seenAt(event);
}
