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
  return followed ?? reads.reduce((best, each) => (newestMs(each) > newestMs(best) ? each : best));
}

/** The time of its status, if that is stated, or else of the newest scan, or else of the newest expectation. */
function newestMs({ reading: { events }, statedAt = null }: { reading: Reading; statedAt?: string | null }): number {
  const statedMs = Date.parse(statedAt ?? '');
  if (!Number.isNaN(statedMs)) return statedMs;
  const scans = events.filter(({ classifier }) => classifier === 'actual');
  return Math.max(0, ...(scans.length > 0 ? scans : events).map(eventTimeMs));
}
