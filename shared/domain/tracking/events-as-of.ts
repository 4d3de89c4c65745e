import type { TrackingEvent } from './event.ts';

/**
 * The events as they were at a moment (ISO UTC): those received by then, ignoring later voids and replacements. Folding
 * them at that moment gives the journey that the record showed.
 */
export function eventsAsOf(events: readonly TrackingEvent[], asOf: string): TrackingEvent[] {
  const asOfMs = Date.parse(asOf);
  const received = events.filter((event) => Date.parse(event.receivedAt) <= asOfMs);
  const ids = new Set(received.map((event) => event.id));
  return received.map((event) => ({
    ...event,
    supersededBy: event.supersededBy !== null && ids.has(event.supersededBy) ? event.supersededBy : null,
    voidedAt: event.voidedAt !== null && Date.parse(event.voidedAt) <= asOfMs ? event.voidedAt : null,
  }));
}
