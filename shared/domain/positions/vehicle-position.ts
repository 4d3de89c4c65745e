import type { Vehicle } from '../events/event.ts';

/** Position of a vehicle at a moment. `at` is ISO UTC, degrees are WGS 84. `source`: the reporter. */
export type VehiclePosition = { lat: number; lng: number; at: string; source: string; vehicle: Vehicle | null };

/** Clocks of vehicles may be ahead by this much. */
const maxAheadMs = 5 * 60_000;
const earliestMs = Date.UTC(2000, 0, 1);

/**
 * Returns the reason why a position can't be true, as a sentence with a remedy. Null: it can. 0/0 is what many devices
 * report without a fix.
 */
export function positionMistake(
  { lat, lng, at }: { lat: number; lng: number; at: string },
  nowMs: number,
): string | null {
  if (!(Math.abs(lat) <= 90)) return 'The latitude is out of range. Send degrees from -90 to 90.';
  if (!(Math.abs(lng) <= 180)) return 'The longitude is out of range. Send degrees from -180 to 180.';
  if (lat === 0 && lng === 0) return 'The position is 0/0, which devices report without a fix. Leave it out.';
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return 'The time of the position is not valid. Send ISO 8601 with an offset.';
  if (atMs < earliestMs) return 'The time of the position is before the year 2000. Send when it was measured.';
  if (atMs > nowMs + maxAheadMs) return 'The position is in the future. Send when it was measured.';
  return null;
}
