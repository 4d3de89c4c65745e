import type { TrackingEvent } from '#shared/domain/event.ts';
import { matchValue } from '#shared/domain/identifiers.ts';
import { composeJourney, statusBeganAt } from '#shared/domain/journey.ts';
import type { Journey } from '#shared/domain/shipment.ts';
import type { VerbSubject } from './run-verb.ts';

/** The journey that these events make, by Postgres's clock. */
export function composeNow(
  { shipment, polling }: Pick<VerbSubject, 'shipment' | 'polling'>,
  events: readonly TrackingEvent[],
): { journey: Journey; statusChangedAt: string | null } {
  const { transportMode, identifiers } = shipment;
  const knownContainers = identifiers.container === undefined ? [] : [matchValue(identifiers.container)];
  const input = { events, transportMode, knownContainers };
  const nowMs = Date.parse(polling.now);
  return { journey: composeJourney(input, nowMs), statusChangedAt: statusBeganAt(input, nowMs) };
}
