import type { EventCode, ReadEvent } from '#shared/domain/events/event.ts';
import { eventTimeMs } from '#shared/domain/events/event-order.ts';

const ends: readonly EventCode[] = ['delivered', 'returned', 'cancelled', 'lost', 'destroyed'];
/** After a delivery, these still belong to it. */
const lateCodes: readonly EventCode[] = ['return_started', 'returned', 'other', 'notice', ...ends];
/** Carriers give a number out again after months. Proofs and corrections come within days. */
const quietMs = 14 * 86_400_000;

/**
 * The scans of the parcel that has the number now. Carriers give numbers out again, and some list both parcels: the scans
 * up to the end of the earlier one are left out.
 */
export function ofPresentUse(scans: readonly ReadEvent[]): ReadEvent[] {
  if (!scans.some((scan) => ends.includes(scan.code))) return [...scans];
  const ordered = scans.toSorted((left, right) => eventTimeMs(left) - eventTimeMs(right));
  let beginsMs: number | null = null;
  let endedMs: number | null = null;
  for (const scan of ordered) {
    const atMs = eventTimeMs(scan);
    if (ends.includes(scan.code)) endedMs = atMs;
    else if (endedMs !== null && atMs - endedMs >= quietMs && !lateCodes.includes(scan.code)) {
      beginsMs = atMs;
      endedMs = null;
    }
  }
  const fromMs = beginsMs;
  return fromMs === null ? [...scans] : scans.filter((scan) => eventTimeMs(scan) >= fromMs);
}
