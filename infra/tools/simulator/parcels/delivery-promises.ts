import type { Random } from '../voyages/random.ts';
import { attemptKinds, deliveryKinds, type Scan, type ScanKind } from './scans.ts';
import type { Variant } from './variants.ts';

/** A change of the promised delivery: `windowMs` until `timeMs`. Times in ms since the parcel's start. */
export type DeliveryPromise = { publishedMs: number; timeMs: number; windowMs: number };

const hourMs = 3_600_000;
const usualWindowMs = 4 * hourMs;
const courierWindowMs = 2 * hourMs;

/** Scans that postpone a delivery. */
const postponing: readonly ScanKind[] = ['delay', 'customs_hold', 'customs_payment', 'address_problem'];

/** The first promise is made with the label and later events move it. A return withdraws it. */
export function promisesOf(random: Random, scans: readonly Scan[], variant: Variant): DeliveryPromise[] {
  const end = scans.findLast(({ kind }) => deliveryKinds.includes(kind) || attemptKinds.includes(kind));
  const first = scans.find((scan) => scan.kind === 'out_for_delivery');
  if (end === undefined || first === undefined) return [];
  const plannedMs = wholeHours(first.atMs - postponedMs(scans) + random.between(3, 8) * hourMs);
  const promises = [{ publishedMs: scans[0]?.reportedMs ?? 0, timeMs: plannedMs, windowMs: usualWindowMs }];
  if (variant === 'moved_window') return [...promises, ...courierPromises(first)];
  const bad = scans.find(({ kind }) => postponing.includes(kind) || kind === 'attempted' || kind === 'closed');
  if (bad !== undefined && bad.atMs < end.atMs)
    promises.push({
      publishedMs: bad.reportedMs,
      timeMs: wholeHours(end.atMs + random.between(0, 2) * hourMs),
      windowMs: usualWindowMs,
    });
  return promises;
}

/** The courier's own window, which moves twice during the tour. The parcel comes within the last one. */
function courierPromises(loaded: Scan): DeliveryPromise[] {
  const firstMs = loaded.atMs + 4 * hourMs;
  return [
    { publishedMs: loaded.reportedMs, timeMs: firstMs, windowMs: courierWindowMs },
    { publishedMs: loaded.reportedMs + 2 * hourMs, timeMs: firstMs + 2 * hourMs, windowMs: courierWindowMs },
    { publishedMs: loaded.reportedMs + 4 * hourMs, timeMs: firstMs + 3 * hourMs, windowMs: courierWindowMs },
  ];
}

/** The delay from exceptions before the parcel was loaded for delivery. */
function postponedMs(scans: readonly Scan[]): number {
  const index = scans.findIndex(({ kind }) => postponing.includes(kind));
  const bad = scans[index];
  const next = scans[index + 1];
  return bad === undefined || next === undefined ? 0 : next.atMs - bad.atMs;
}

function wholeHours(ms: number): number {
  return Math.ceil(ms / hourMs) * hourMs;
}
