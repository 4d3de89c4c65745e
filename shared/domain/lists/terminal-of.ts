import type { Place } from '../events/event.ts';
import type { Journey } from '../record/shipment.ts';

/**
 * The terminal, depot or other facility where the cargo is or will arrive, in the carrier's words or code: where it is
 * now, otherwise that of its destination. Null: nobody has named one.
 */
export function terminalOf({
  currentLocation,
  destination,
  latestEvent,
}: Pick<Journey, 'currentLocation' | 'destination' | 'latestEvent'>): string | null {
  const last = latestEvent?.location ?? null;
  const isAtEnd = isSamePlace(last, destination);
  return currentLocation?.facility ?? destination?.facility ?? (isAtEnd ? (last?.facility ?? null) : null);
}

function isSamePlace(left: Place | null, right: Place | null): boolean {
  if (left === null || right === null) return false;
  const same = (name: 'unlocode' | 'iata' | 'name') => left[name] !== null && left[name] === right[name];
  return same('unlocode') || same('iata') || same('name');
}
