import type { TrackingEvent } from '../events/event.ts';
import { eventTimeMs } from '../events/event-order.ts';
import type { EventTime, FreeTimeFacts } from '../record/free-time.ts';
import { compareStatements, type HoldPeriod } from './holds.ts';

/**
 * Availability of a container, since when, and when it first could be collected without an active hold. `available` is
 * the milestone.
 */
export function readAvailability(
  happened: readonly TrackingEvent[],
  holds: readonly HoldPeriod[],
): Pick<FreeTimeFacts, 'availability' | 'collectable'> & { available?: EventTime } {
  const stated = happened.filter((event) => statedOf(event) !== null).sort(compareStatements);
  const turns = stated.filter((event, index) => index === 0 || statedOf(event) !== statedOf(stated[index - 1]));
  const present = turns.at(-1);
  if (present === undefined) return {};
  const availability = { available: statedOf(present), since: present.time };
  const first = turns.find((event) => statedOf(event) === true);
  if (first === undefined) return { availability };
  const available = { time: first.time, eventId: first.id };
  const collectable = firstCollectable(turns, holds);
  return {
    availability,
    available,
    ...(collectable === first
      ? {}
      : { collectable: collectable && { time: collectable.time, eventId: collectable.id } }),
  };
}

/** Returns the availability that the event states. Null: it states none. */
function statedOf(event: TrackingEvent | undefined): boolean | null {
  if (event?.details?.available !== undefined) return event.details.available;
  if (event?.code === 'available_for_pickup') return true;
  return event?.code === 'not_available' ? false : null;
}

/** The event with which it was first available while no hold was active: a release may be the later of both. */
function firstCollectable(turns: readonly TrackingEvent[], holds: readonly HoldPeriod[]): TrackingEvent | null {
  const isHeld = (atMs: number) => holds.some(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
  const releases = holds.flatMap(({ endedBy }) => endedBy ?? []).sort(compareStatements);
  for (const [index, turn] of turns.entries()) {
    if (statedOf(turn) !== true) continue;
    const [fromMs, next] = [eventTimeMs(turn), turns[index + 1]];
    if (!isHeld(fromMs)) return turn;
    const endMs = next === undefined ? Number.POSITIVE_INFINITY : eventTimeMs(next);
    const released = releases.find((event) => {
      const atMs = eventTimeMs(event);
      return atMs > fromMs && atMs < endMs && !isHeld(atMs);
    });
    if (released !== undefined) return released;
  }
  return null;
}
