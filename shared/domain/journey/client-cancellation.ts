import { dedupeText } from '../events/dedupe.ts';
import type { ReadEvent, TrackingEvent } from '../events/event.ts';
import { shownSource } from '../events/event-subject.ts';

const clientFamily = 'client';

/**
 * The event that records the client's cancellation of the booking or label, now. `stored` are the shipment's events: a
 * reverted cancellation stays among them, and a new one is a separate event. `nowIso` is ISO UTC.
 */
export function clientCancellation(
  stored: readonly Pick<TrackingEvent, 'source' | 'code' | 'details'>[],
  { id, nowIso }: { id: string; nowIso: string },
): TrackingEvent {
  const earlier = stored.filter(isClientCancellation).length;
  const body: Omit<ReadEvent, 'raw'> = {
    code: 'cancelled',
    classifier: 'actual',
    legRole: 'unknown',
    time: { at: nowIso, local: nowIso.slice(0, 19), timezone: 'UTC', zoneSource: 'assumed_utc', precision: 'second' },
    location: null,
    container: null,
    isoType: null,
    mode: null,
    vehicle: null,
    empty: null,
    seals: [],
    delayReason: null,
    document: null,
    description: 'Cancelled by the client',
    carrierCode: null,
    carrierDescription: null,
    sourceEventId: null,
    sourceCreatedAt: null,
    source: 'client',
  };
  return {
    ...body,
    id,
    dedupeKey: dedupeText(body, clientFamily, earlier),
    receivedAt: nowIso,
    supersededBy: null,
    voidedAt: null,
  };
}

/**
 * True when an event records that the client itself cancelled, and not a cancellation that one of its sources pushed.
 */
export function isClientCancellation(event: Pick<TrackingEvent, 'source' | 'code' | 'details'>): boolean {
  return shownSource(event) === 'client' && event.code === 'cancelled';
}
