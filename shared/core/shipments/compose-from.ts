import { knownContainersOf } from '#shared/domain/registration/identifiers.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import type { TrackingEvent } from '#shared/domain/tracking/event.ts';
import { type ComposedJourney, composeDatedJourney } from '#shared/domain/tracking/journey.ts';

/** The journey that these events make of a shipment at this time, and when it reached its status. */
export function composeFrom(
  events: readonly TrackingEvent[],
  { transportMode, identifiers }: Pick<Shipment, 'transportMode' | 'identifiers'>,
  nowMs: number,
): ComposedJourney {
  return composeDatedJourney({ events, transportMode, knownContainers: knownContainersOf(identifiers) }, nowMs);
}
