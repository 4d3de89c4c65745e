import fc from 'fast-check';
import { type EventCode, eventCodes, type LegRole, type TrackingEvent } from '#shared/domain/events/event.ts';
import { hourMs, startMs, trackingEvent } from './journey-events.ts';

export const legRoles: LegRole[] = ['origin', 'pol', 'transshipment', 'pod', 'destination', 'inland', 'unknown'];

/** Half of the events of `eventsOf` lie before this moment. */
export const nowMs = startMs + 40 * hourMs;
/** A time at which every one of them counts. */
export const laterMs = startMs + 100 * hourMs;

/** Hours of an event after the start. */
export function hourOf(event: Pick<TrackingEvent, 'time'>): number {
  return (Date.parse(event.time.at) - startMs) / hourMs;
}

/** Sets of events within 80 hours, most of them actual, some voided or superseded. */
export function eventsOf(codes: readonly EventCode[], containers: (string | null)[], maxLength = 12) {
  return fc
    .array(
      fc.record({
        code: fc.constantFrom(...codes),
        legRole: fc.constantFrom(...legRoles),
        hour: fc.integer({ min: 0, max: 80 }),
        container: fc.constantFrom(...containers),
        classifier: fc.constantFrom('actual' as const, 'actual' as const, 'actual' as const, 'estimated' as const),
        voidedAt: fc.constantFrom(null, null, null, '2026-04-02T00:00:00.000Z'),
        supersededBy: fc.constantFrom(null, null, null, 'other'),
      }),
      { maxLength },
    )
    .map((sketches) => sketches.map((sketch, index) => trackingEvent({ ...sketch, id: `e${index}` })));
}

export const anyEvents = eventsOf(eventCodes, ['AAAU1234567', 'BBBU1234567', null]);
