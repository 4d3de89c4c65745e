import type { TrackingEvent } from '../events/event.ts';
import { isSuspectFuture } from '../events/event-order.ts';
import type { EventFlag, RecordEvent } from '../record/shipment.ts';
import type { Legs } from './journey-legs.ts';
import { orderHistory } from './order-history.ts';

/** Events that the record itself contains. `…/events` has all. */
export const maxRecordEvents = 50;
/** Room for open plans, however much has happened. */
const minRecordPlans = 10;

/** The events that the record itself contains, in its order. */
export function recordEvents(events: readonly RecordEvent[]): RecordEvent[] {
  const { happened, ahead, replaced } = orderHistory(events);
  const plans = ahead.slice(0, Math.max(minRecordPlans, maxRecordEvents - happened.length));
  return [...happened.slice(0, maxRecordEvents - plans.length), ...plans, ...replaced].slice(0, maxRecordEvents);
}

/** Relations of an event to the others: its leg, and the plans that have ended. */
type Relations = { legOf: Legs['legOf']; fulfilled: ReadonlyMap<string, string> };

/** The event as the record shows it. */
export function toRecordEvent(event: TrackingEvent, { legOf, fulfilled }: Relations, nowMs: number): RecordEvent {
  const fulfilledBy = fulfilled.get(event.id) ?? null;
  return { ...event, leg: legOf(event), flags: flagsOf(event, nowMs), fulfilledBy };
}

/** The same for an event of another trip of the container. */
export function ofOtherTrip(event: TrackingEvent): RecordEvent {
  return { ...event, leg: null, flags: [...retractionsOf(event), 'other_trip'], fulfilledBy: null };
}

function flagsOf(event: TrackingEvent, nowMs: number): EventFlag[] {
  const isSuspect = event.classifier === 'actual' && isSuspectFuture(event, nowMs);
  return [...(isSuspect ? ['suspect_future' as const] : []), ...retractionsOf(event)];
}

function retractionsOf(event: TrackingEvent): EventFlag[] {
  const flags: EventFlag[] = [];
  if (event.voidedAt !== null) flags.push('voided');
  if (event.supersededBy !== null) flags.push('superseded');
  return flags;
}
