import type { EventCode, ReadEvent } from '#shared/domain/events/event.ts';
import { eventTimeMs } from '#shared/domain/events/event-order.ts';

/** Ends of a parcel. One that is lost may be found, and one that is cancelled may be sent after all. */
const ends: readonly EventCode[] = ['delivered', 'returned', 'destroyed'];

/** True for a code that ends the use of a number. */
export function isEnd(code: EventCode): boolean {
  return ends.includes(code);
}

/** After a delivery, these still belong to it. */
const lateCodes: readonly EventCode[] = ['return_started', 'other', 'notice', 'cancelled', 'lost', ...ends];
/** Carriers give a number out again after months. Proofs and corrections come within days. */
const quietMs = 14 * 86_400_000;
/** After half a year, nothing belongs to the earlier parcel. */
const goneMs = 180 * 86_400_000;

/**
 * The scans of the parcel that has the number now. Carriers give numbers out again, and some list both parcels: the scans
 * up to the end of the earlier one are left out. `isCoded`: the carrier's code states this end. One that only words
 * state may be read wrongly, and ends no use.
 */
export function ofPresentUse(scans: readonly ReadEvent[], isCoded: (scan: ReadEvent) => boolean): ReadEvent[] {
  const closes = (scan: ReadEvent) => isEnd(scan.code) && isCoded(scan);
  if (!scans.some(closes)) return [...scans];
  const ordered = scans.toSorted((left, right) => eventTimeMs(left) - eventTimeMs(right));
  let beginsMs: number | null = null;
  let endedMs: number | null = null;
  for (const scan of ordered) {
    const atMs = eventTimeMs(scan);
    const quiet = endedMs === null ? 0 : atMs - endedMs;
    if (quiet >= goneMs || (quiet >= quietMs && !lateCodes.includes(scan.code))) {
      beginsMs = atMs;
      endedMs = null;
    }
    if (closes(scan)) endedMs = atMs;
  }
  const fromMs = beginsMs;
  return fromMs === null ? [...scans] : scans.filter((scan) => eventTimeMs(scan) >= fromMs);
}
