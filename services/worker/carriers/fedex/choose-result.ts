import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { children, type LenientObject, text } from '../lenient-object.ts';
import { scanTime } from '../reading/parcel-reading.ts';
import { dateOf, uniqueIdOf } from './read-fedex-result.ts';

/**
 * FedEx reuses tracking numbers. Chooses the parcel that the record already follows while it has scans after the
 * registration, or else the one shipped last.
 */
export function chooseResult(
  results: readonly LenientObject[],
  subject: Pick<RefreshSubject, 'journey' | 'createdAt'>,
): LenientObject | null {
  const followed = subject.journey?.events.find((event) => event.sourceEventId !== null)?.sourceEventId ?? null;
  const known = results.find((result) => followed !== null && uniqueIdOf(result) === followed);
  if (known !== undefined && newestScanMs(known) >= Date.parse(subject.createdAt)) return known;
  const open = results.filter((result) => !isLongOver(result, subject.createdAt));
  return (open.length > 0 ? open : results).reduce<LenientObject | null>(
    (best, each) => (best === null || compareShipped(each, best) > 0 ? each : best),
    null,
  );
}

/** A parcel of another year, beside one that may not have a scan yet. */
const longMs = 180 * 86_400_000;

function isLongOver(result: LenientObject, createdAt: string): boolean {
  const newestMs = newestScanMs(result);
  return newestMs > 0 && newestMs < Date.parse(createdAt) - longMs;
}

function compareShipped(left: LenientObject, right: LenientObject): number {
  return shippedMs(left) - shippedMs(right) || newestScanMs(left) - newestScanMs(right);
}

function shippedMs(result: LenientObject): number {
  return timeMs(dateOf(result, 'SHIP', 'ACTUAL_PICKUP', 'ACTUAL_TENDER', 'ANTICIPATED_TENDER')) ?? newestScanMs(result);
}

function newestScanMs(result: LenientObject): number {
  return Math.max(0, ...children(result, 'scanEvents').map((scan) => timeMs(text(scan, 'date')) ?? 0));
}

function timeMs(written: string | null): number | null {
  const time = written === null ? null : scanTime(written, null);
  return time === null ? null : Date.parse(time.at);
}
