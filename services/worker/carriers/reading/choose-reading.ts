import type { Reading } from '#shared/domain/events/event.ts';
import { eventTimeMs } from '#shared/domain/events/event-order.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';

/**
 * Of several parcels with one number, the one that the record follows while it has scans after the registration, or else
 * the newest. Carriers give numbers out again, and list them in any order.
 */
export function chooseReading<Read extends { reading: Reading; statedAt?: string | null }>(
  reads: readonly Read[],
  { journey, createdAt }: Pick<RefreshSubject, 'journey' | 'createdAt'>,
): Read | undefined {
  if (reads.length < 2) return reads[0];
  const known = new Set(journey?.events.filter(({ classifier }) => classifier === 'actual').map(({ time }) => time.at));
  const followed = reads.find(
    (read) => newestMs(read) >= Date.parse(createdAt) && read.reading.events.some(({ time }) => known.has(time.at)),
  );
  return followed ?? newestReading(reads);
}

/** The parcel whose status or scan is the newest. */
export function newestReading<Read extends { reading: Reading; statedAt?: string | null }>(
  reads: readonly Read[],
): Read | undefined {
  return reads.reduce<Read | undefined>(
    (best, each) => (best === undefined || newestMs(each) > newestMs(best) ? each : best),
    undefined,
  );
}

/** The time of its status, if that is stated, or else of the newest scan, or else of the newest expectation. */
function newestMs({ reading: { events }, statedAt = null }: { reading: Reading; statedAt?: string | null }): number {
  const statedMs = Date.parse(statedAt ?? '');
  if (!Number.isNaN(statedMs)) return statedMs;
  const scans = events.filter(({ classifier }) => classifier === 'actual');
  return Math.max(0, ...(scans.length > 0 ? scans : events).map(eventTimeMs));
}
