import { createRandom } from '../voyages/random.ts';
import type { Parcel, Scan } from './parcel.ts';

/** A scan with its true moment, epoch ms. */
export type PublishedScan = Omit<Scan, 'atMs' | 'reportedMs'> & { id: string; atMs: number };

/** What a carrier knows of a parcel at a moment; times in epoch ms, scans oldest first. */
export type ParcelView = {
  parcel: Parcel;
  scans: PublishedScan[];
  /** When the delivery was first promised for, and is expected now; null once the parcel is delivered or on its way back. */
  promisedMs: number | null;
  expectedMs: number | null;
  shippedMs: number;
};

/** The parcel as it is known at `virtualMs`; `startMs` is when it began (epoch ms both). */
export function parcelAt(parcel: Parcel, startMs: number, virtualMs: number): ParcelView {
  const scans = parcel.scans
    .filter((scan) => startMs + scan.reportedMs <= virtualMs)
    .map(({ kind, city, atMs, final }, index) => ({
      kind,
      city,
      final,
      id: `${parcel.key}|${index}`,
      atMs: startMs + atMs,
    }));
  const promises = parcel.promises.filter((promise) => startMs + promise.publishedMs <= virtualMs);
  const isOver = scans.some((scan) => ['delivered', 'return_started', 'returned'].includes(scan.kind));
  const expected = isOver ? undefined : promises.at(-1);
  return {
    parcel,
    scans,
    promisedMs: promises[0] === undefined ? null : startMs + promises[0].timeMs,
    expectedMs: expected === undefined ? null : startMs + expected.timeMs,
    shippedMs: startMs + (parcel.scans[0]?.atMs ?? 0),
  };
}

/** Whether one of a carrier's habits shows here: true for `share` of the texts. */
export function hasHabit(share: number, ...parts: string[]): boolean {
  return createRandom('habit', ...parts).chance(share);
}
