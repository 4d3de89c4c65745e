import type { Classifier, EventCode, LegRole, Place, ReadEvent, TrackingEvent } from '#shared/domain/events/event.ts';

/** Hour 0 of the tests' journeys. */
export const startMs = Date.parse('2026-04-01T00:00:00Z');
export const hourMs = 3_600_000;

export type EventSketch = Partial<Omit<ReadEvent, 'location' | 'time'>> & {
  code: EventCode;
  /** Hours after `startMs`. */
  hour: number;
  port?: string | null;
  legRole?: LegRole;
  classifier?: Classifier;
};

export function readEvent({ hour, port = null, ...sketch }: EventSketch): ReadEvent {
  const at = new Date(startMs + hour * hourMs).toISOString();
  return {
    classifier: 'actual',
    legRole: 'unknown',
    container: null,
    isoType: null,
    mode: null,
    vehicle: null,
    empty: null,
    seals: [],
    delayReason: null,
    document: null,
    description: null,
    carrierCode: null,
    carrierDescription: null,
    sourceEventId: null,
    sourceCreatedAt: null,
    source: 'carrier',
    raw: null,
    ...sketch,
    time: { at, local: at.slice(0, 16), timezone: 'UTC', zoneSource: 'carrier', precision: 'minute' },
    location: port === null ? null : place(port),
  };
}

export function trackingEvent(
  sketch: EventSketch & { id: string } & Partial<
      Pick<TrackingEvent, 'dedupeKey' | 'receivedAt' | 'supersededBy' | 'voidedAt'>
    >,
): TrackingEvent {
  const {
    id,
    dedupeKey = id,
    receivedAt = new Date(startMs).toISOString(),
    supersededBy = null,
    voidedAt = null,
    ...rest
  } = sketch;
  const { raw: _raw, ...event } = readEvent(rest);
  return { ...event, id, dedupeKey, receivedAt, supersededBy, voidedAt };
}

export function place(unlocode: string): Place {
  return {
    name: unlocode,
    unlocode,
    iata: null,
    country: unlocode.slice(0, 2),
    lat: null,
    lng: null,
    timezone: null,
    facility: null,
  };
}
