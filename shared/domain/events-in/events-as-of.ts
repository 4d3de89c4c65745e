import type { TrackingEvent } from '../events/event.ts';
import { planVoided } from './plan-statements.ts';

/**
 * The events as they were at a moment (ISO UTC): those received by then, ignoring later voids and replacements. Folding
 * them at that moment gives the journey that the record showed.
 */
export function eventsAsOf(stored: readonly TrackingEvent[], asOf: string): TrackingEvent[] {
  const asOfMs = Date.parse(asOf);
  const received = stored.filter((event) => Date.parse(event.receivedAt) <= asOfMs);
  const ids = new Set(received.map((event) => event.id));
  const events = received.map((event) => ({
    ...event,
    supersededBy: event.supersededBy !== null && ids.has(event.supersededBy) ? event.supersededBy : null,
    voidedAt: event.voidedAt !== null && Date.parse(event.voidedAt) <= asOfMs ? event.voidedAt : null,
  }));
  return withPushedSuccessors(events);
}

/** A later statement or void changes which event a pushed one gives way to, so it is decided again from those of then. */
function withPushedSuccessors(events: readonly TrackingEvent[]): TrackingEvent[] {
  const successors = new Map<string, string | null>();
  for (const [sourceName, own] of Map.groupBy(events, pushedBy))
    if (sourceName !== undefined)
      for (const { id, supersededBy } of planVoided(own, sourceName)) successors.set(id, supersededBy);
  return events.map((event) => {
    const supersededBy = successors.get(event.id);
    return supersededBy === undefined ? event : { ...event, supersededBy };
  });
}

function pushedBy({ source, details }: TrackingEvent): string | undefined {
  return source === 'client' ? details?.sourceName : undefined;
}
