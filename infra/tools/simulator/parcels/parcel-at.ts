import type { Truth } from '../carrier-route.ts';
import { localTime } from '../voyages/local-time.ts';
import { createRandom } from '../voyages/random.ts';
import type { Parcel } from './parcel.ts';
import { deliveryKinds, type Scan, type ScanKind } from './scans.ts';

/** The status after a scan. Null: unchanged. */
const statusAfter: Readonly<Record<ScanKind, string | null>> = {
  label: 'booked',
  pickup: 'in_transit',
  departed: 'in_transit',
  arrived: 'in_transit',
  customs: null,
  customs_hold: null,
  customs_payment: null,
  customs_released: null,
  delay: null,
  damage: null,
  address_problem: null,
  out_for_delivery: 'out_for_delivery',
  attempted: 'out_for_delivery',
  closed: 'out_for_delivery',
  refused: 'out_for_delivery',
  ready: 'available_for_pickup',
  collected: 'delivered',
  delivered: 'delivered',
  delivered_neighbour: 'delivered',
  left_at_door: 'delivered',
  return_started: 'returned',
  returned: 'returned',
};

/** Statuses of cargo that is still to be delivered, and of delivered cargo, least advanced first. */
const progress = ['pending', 'booked', 'in_transit', 'available_for_pickup', 'out_for_delivery', 'delivered'];

const halfHourMs = 1_800_000;

/** A scan with its actual time, in epoch ms. */
export type PublishedScan = Omit<Scan, 'atMs' | 'reportedMs'> & { id: string; atMs: number };

/** A parcel at a moment. Times in epoch ms, oldest scan first. */
export type ParcelView = {
  parcel: Parcel;
  /** The indexes of the pieces that it is about. */
  pieces: readonly number[];
  scans: PublishedScan[];
  /**
   * The originally promised and the currently expected delivery time. Null once the parcel is delivered, waits to be
   * collected or returns.
   */
  promisedMs: number | null;
  expectedMs: number | null;
  /** When the window begins that ends at the expected time. */
  expectedFromMs: number | null;
  shippedMs: number;
};

/** The parcel at `virtualMs`. `startMs` is the start of its journey (both in epoch ms). */
export function parcelAt(parcel: Parcel, startMs: number, virtualMs: number): ParcelView {
  const scans = parcel.scans
    .map(({ reportedMs, ...scan }, index) => ({
      ...scan,
      id: `${parcel.key}|${index}`,
      atMs: startMs + scan.atMs,
      isKnown: startMs + reportedMs <= virtualMs,
    }))
    .filter(({ isKnown }) => isKnown)
    .map(({ isKnown: _known, ...scan }): PublishedScan => scan);
  const promises = parcel.promises
    .filter((promise) => startMs + promise.publishedMs <= virtualMs)
    .map(({ timeMs, windowMs }) => ({ endMs: roundTime(startMs + timeMs), windowMs }));
  const pieces = [...parcel.goods.pieces.keys()];
  const isOver = pieces.every((piece) => scansOf(scans, piece).some(({ kind }) => isEnd(kind)));
  const expected = isOver ? undefined : promises.at(-1);
  return {
    parcel,
    pieces,
    scans,
    promisedMs: promises[0]?.endMs ?? null,
    expectedMs: expected?.endMs ?? null,
    expectedFromMs: expected === undefined ? null : expected.endMs - expected.windowMs,
    shippedMs: startMs + (parcel.scans[0]?.atMs ?? 0),
  };
}

/** Carriers promise round times. Quarters past, because midnight in any zone would stand for a day without a time. */
function roundTime(ms: number): number {
  return (Math.ceil(ms / halfHourMs) + 0.5) * halfHourMs;
}

/** One piece of the parcel as if it travelled alone. */
export function pieceAt(view: ParcelView, piece: number): ParcelView {
  const scans = scansOf(view.scans, piece);
  const isOver = scans.some(({ kind }) => isEnd(kind));
  return { ...view, pieces: [piece], scans, ...(isOver ? { expectedMs: null, expectedFromMs: null } : {}) };
}

function scansOf<Any extends { piece: number | null }>(scans: readonly Any[], piece: number): Any[] {
  return scans.filter((scan) => scan.piece === null || scan.piece === piece);
}

function isEnd(kind: ScanKind): boolean {
  return deliveryKinds.includes(kind) || ['ready', 'return_started', 'returned'].includes(kind);
}

/** Decides if a carrier's quirk applies here: true for `share` of the texts. */
export function hasQuirk(share: number, ...parts: string[]): boolean {
  return createRandom('habit', ...parts).chance(share);
}

/**
 * The actual events of a parcel. After a return starts, a piece's status is `returned` regardless of further scans. The
 * shipment's status is that of its least advanced piece that isn't returned.
 */
export function parcelTruth(view: ParcelView): Truth {
  const active = pieceStatuses(view).filter((status) => status !== 'returned');
  return {
    status: progress.find((status) => active.includes(status)) ?? 'returned',
    events: view.scans.map(({ kind, city, atMs }) => ({
      code: kind,
      at: new Date(atMs).toISOString(),
      local: localTime(atMs, city.zone).slice(0, 16),
      place: kind === 'label' ? null : city.name,
      container: null,
    })),
  };
}

/** The status of each piece. */
export function pieceStatuses({ pieces, scans }: ParcelView): string[] {
  return pieces.map((piece) => statusOf(scansOf(scans, piece)));
}

function statusOf(scans: readonly PublishedScan[]): string {
  const statuses = scans.flatMap(({ kind }) => statusAfter[kind] ?? []);
  return statuses.includes('returned') ? 'returned' : (statuses.at(-1) ?? 'pending');
}
