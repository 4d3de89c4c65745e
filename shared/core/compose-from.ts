import type { TrackingEvent } from '#shared/domain/event.ts';
import { knownContainersOf } from '#shared/domain/identifiers.ts';
import { type ComposedJourney, composeDatedJourney } from '#shared/domain/journey.ts';
import type { Shipment } from '#shared/domain/shipment.ts';

/** The journey that these events make of a shipment at this time, and when it reached its status. */
export function composeFrom(
  events: readonly TrackingEvent[],
  { transportMode, identifiers }: Pick<Shipment, 'transportMode' | 'identifiers'>,
  nowMs: number,
): ComposedJourney {
  return composeDatedJourney({ events, transportMode, knownContainers: knownContainersOf(identifiers) }, nowMs);
}
