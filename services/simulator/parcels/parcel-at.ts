import type { Truth } from '../carrier-route.ts';
import { localTime } from '../voyages/local-time.ts';
import { createRandom } from '../voyages/random.ts';
import type { Parcel, Scan, ScanKind } from './parcel.ts';

/** The status after a scan. Null: unchanged. */
const statusAfter: Readonly<Record<ScanKind, string | null>> = {
  label: 'booked',
  pickup: 'in_transit',
  departed: 'in_transit',
  arrived: 'in_transit',
  customs: null,
  customs_hold: null,
  customs_released: null,
  delay: null,
  damage: null,
  address_problem: null,
  out_for_delivery: 'out_for_delivery',
  attempted: 'out_for_delivery',
  delivered: 'delivered',
  return_started: 'returned',
  returned: 'returned',
};

/** A scan with its actual time, in epoch ms. */
export type PublishedScan = Omit<Scan, 'atMs' | 'reportedMs'> & { id: string; atMs: number };

/** A parcel at a moment. Times in epoch ms, oldest scan first. */
export type ParcelView = {
  parcel: Parcel;
  scans: PublishedScan[];
  /**
   * The originally promised and the currently expected delivery time. Null once the parcel is delivered or returning.
   */
  promisedMs: number | null;
  expectedMs: number | null;
  shippedMs: number;
};

/** The parcel at `virtualMs`. `startMs` is the start of its journey (both in epoch ms). */
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

/** Whether a carrier's quirk applies here: true for `share` of the texts. */
export function hasQuirk(share: number, ...parts: string[]): boolean {
  return createRandom('habit', ...parts).chance(share);
}

/** The actual events of a parcel. After a return starts, its status is `returned` regardless of further scans. */
export function parcelTruth({ scans }: ParcelView): Truth {
  const statuses = scans.flatMap(({ kind }) => statusAfter[kind] ?? []);
  return {
    status: statuses.includes('returned') ? 'returned' : (statuses.at(-1) ?? 'pending'),
    events: scans.map(({ kind, city, atMs }) => ({
      code: kind,
      at: new Date(atMs).toISOString(),
      local: localTime(atMs, city.zone).slice(0, 16),
      place: kind === 'label' ? null : city.name,
      container: null,
    })),
  };
}
