import type { Place, TrackingEvent } from '../events/event.ts';
import { placeKey } from '../events/place-key.ts';
import type { FreeTimeFacts, FreeTimePlace } from '../record/free-time.ts';
import { readAvailability } from './availability.ts';
import { isAtSecondTerminal } from './clock-events.ts';
import { readHolds } from './holds.ts';
import { readMilestones } from './milestones.ts';
import { readFees, readFreeDays } from './stated-days.ts';

/**
 * Reads the free-time facts of one container from its events. `happened`: its actual events that count, `live`: all of
 * its events that are not retracted; both in any order and with those of the whole shipment. Leg roles must be
 * assigned. Undefined: nothing is known. `destination`: that of the journey.
 */
export function readFreeTimeFacts(
  happened: readonly TrackingEvent[],
  live: readonly TrackingEvent[],
  destination: Place | null,
): FreeTimeFacts | undefined {
  const holds = readHolds(happened);
  const { place, ramp, ...moves } = readMilestones(happened);
  const second = moves.railIn && isAtSecondTerminal(moves) ? { port: place, ramp, reached: moves.railIn } : null;
  const { available, ...availability } = readAvailability(happened, holds.periods);
  const fees = readFees(live);
  const freeDays = readFreeDays(live, second);
  const milestones = { ...moves.milestones, ...(available && { available }) };
  const facts: FreeTimeFacts = {
    ...moves,
    ...availability,
    milestones,
    ...(holds.latest.length > 0 && { holds: holds.latest }),
    ...(fees.length > 0 && { fees }),
    ...(freeDays.length > 0 && { freeDays }),
    ...unlessSame('place', place, destination),
    ...unlessSame('ramp', ramp, destination),
  };
  if (Object.keys(milestones).length === 0) delete facts.milestones;
  return Object.keys(facts).length === 0 ? undefined : facts;
}

function unlessSame<Name extends 'place' | 'ramp'>(
  name: Name,
  place: Place | null,
  destination: Place | null,
): { [name in Name]?: FreeTimePlace } {
  if (place === null || placeKey(place) === placeKey(destination)) return {};
  const { unlocode, country, timezone } = place;
  return { [name]: { unlocode, country, timezone } } as { [name in Name]: FreeTimePlace };
}
