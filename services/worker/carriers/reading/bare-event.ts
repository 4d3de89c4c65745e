import type { ReadEvent } from '#shared/domain/events/event.ts';

type Required = Pick<ReadEvent, 'code' | 'classifier' | 'time' | 'location' | 'raw'>;

/** An event in which every field that isn't given is unknown. */
export function bareEvent(event: Required & Partial<ReadEvent>): ReadEvent {
  return {
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
    ...event,
  };
}
