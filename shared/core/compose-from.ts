import type { TrackingEvent } from '#shared/domain/event.ts';
import { knownContainersOf } from '#shared/domain/identifiers.ts';
import { composeJourney, statusBeganAt } from '#shared/domain/journey.ts';
import type { Journey, Shipment } from '#shared/domain/shipment.ts';

/** The journey that these events make of a shipment at this time, and when it reached its status. */
export function composeFrom(
  events: readonly TrackingEvent[],
  { transportMode, identifiers }: Pick<Shipment, 'transportMode' | 'identifiers'>,
  nowMs: number,
): { journey: Journey; statusChangedAt: string | null } {
  const input = { events, transportMode, knownContainers: knownContainersOf(identifiers) };
  return { journey: composeJourney(input, nowMs), statusChangedAt: statusBeganAt(input, nowMs) };
}
