import { createRandom, type Random } from '../voyages/random.ts';
import type { City } from './cities.ts';
import { type ParcelCarrier, planRoute } from './networks.ts';

/** The kinds of scan. */
export type ScanKind =
  | 'label'
  | 'pickup'
  | 'departed'
  | 'arrived'
  | 'customs'
  | 'customs_hold'
  | 'customs_released'
  | 'delay'
  | 'damage'
  | 'address_problem'
  | 'out_for_delivery'
  | 'attempted'
  | 'delivered'
  | 'return_started'
  | 'returned';

/** A scan. Times in ms since the parcel's start. `final`: the scan happened at the delivering facility. */
export type Scan = { kind: ScanKind; city: City; atMs: number; reportedMs: number; final: boolean };

/** A change of the promised delivery time. */
export type DeliveryPromise = { publishedMs: number; timeMs: number };

/** What can go wrong during a journey. */
export const variants = [
  'smooth',
  'attempted',
  'customs_hold',
  'returned',
  'damaged',
  'address_problem',
  'delayed',
] as const;
export type Variant = (typeof variants)[number];

/** A parcel from label to delivery or return. It depends only on the seed, the carrier and the number. */
export type Parcel = {
  key: string;
  carrier: ParcelCarrier;
  number: string;
  variant: Variant;
  origin: City;
  destination: City;
  scans: Scan[];
  promises: DeliveryPromise[];
  /** Duration until the last scan is reported. */
  durationMs: number;
  startFraction: number;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Plans the parcel of a number. */
export function planParcel(seed: string, carrier: ParcelCarrier, number: string): Parcel {
  const key = `${seed}|${carrier}|${number}`;
  const random = createRandom(key, 'parcel');
  const route = planRoute(random, carrier);
  const chosen = random.pick<Variant>(['smooth', 'smooth', 'smooth', ...variants]);
  // A domestic parcel can't be held at customs.
  const variant = chosen === 'customs_hold' && !(route.isImported && route.between.length > 0) ? 'delayed' : chosen;
  const plan = beginPlan(random);

  plan.scan('label', route.origin, random.between(0, 0.2));
  plan.scan('pickup', route.origin, random.between(3, 20));
  plan.scan('departed', route.origin, random.between(2, 6));
  for (const [index, city] of route.between.entries()) {
    plan.scan('arrived', city, random.between(4, 11));
    if (index === 0 && variant === 'delayed') plan.scan('delay', city, random.between(1, 3));
    if (index === 0 && variant === 'damaged') plan.scan('damage', city, random.between(1, 3));
    if (index === route.between.length - 1 && route.isImported)
      planCustoms(plan, random, city, variant === 'customs_hold');
    plan.scan('departed', city, variant === 'delayed' && index === 0 ? random.between(26, 40) : random.between(2, 7));
  }
  plan.scan('arrived', route.destination, random.between(4, 12), true);
  if (variant === 'address_problem') plan.scan('address_problem', route.destination, random.between(1, 4), true);
  plan.scan(
    'out_for_delivery',
    route.destination,
    variant === 'address_problem' ? random.between(18, 26) : random.between(4, 10),
    true,
  );
  if (variant === 'attempted' || variant === 'returned')
    plan.scan('attempted', route.destination, random.between(3, 7), true);
  if (variant === 'attempted') plan.scan('out_for_delivery', route.destination, random.between(17, 22), true);
  if (variant === 'returned') planReturn(plan, random, route);
  else plan.scan('delivered', route.destination, random.between(2, 7), true);

  const { scans } = plan;
  const durationMs = Math.max(...scans.map((scan) => scan.reportedMs));
  return {
    key,
    carrier,
    number,
    variant,
    origin: route.origin,
    destination: route.destination,
    scans,
    promises: promisesOf(random, scans),
    durationMs,
    startFraction: createRandom(key, 'start').between(0.03, 0.9),
  };
}

type Plan = { scans: Scan[]; scan: (kind: ScanKind, city: City, afterH: number, final?: boolean) => void };

function beginPlan(random: Random): Plan {
  const scans: Scan[] = [];
  let atMs = 0;
  return {
    scans,
    scan: (kind, city, afterH, final = false) => {
      atMs += Math.max(1, Math.round((afterH * hourMs) / minuteMs)) * minuteMs;
      scans.push({ kind, city, atMs, reportedMs: atMs + random.whole(0, 12) * minuteMs, final });
    },
  };
}

function planCustoms(plan: Plan, random: Random, city: City, isHeld: boolean): void {
  plan.scan('customs', city, random.between(0.5, 2));
  if (isHeld) plan.scan('customs_hold', city, random.between(1, 4));
  plan.scan('customs_released', city, isHeld ? random.between(14, 40) : random.between(1, 4));
}

function planReturn(plan: Plan, random: Random, route: { origin: City; destination: City; between: City[] }): void {
  plan.scan('return_started', route.destination, random.between(20, 50), true);
  plan.scan('departed', route.destination, random.between(4, 10), true);
  for (const city of route.between.toReversed()) plan.scan('arrived', city, random.between(6, 14));
  plan.scan('returned', route.origin, random.between(20, 40));
}

/** The first promise is made with the label and later events move it. A return withdraws it. */
function promisesOf(random: Random, scans: readonly Scan[]): DeliveryPromise[] {
  const end = scans.findLast((scan) => scan.kind === 'delivered' || scan.kind === 'attempted');
  const first = scans.find((scan) => scan.kind === 'out_for_delivery');
  if (end === undefined || first === undefined) return [];
  const plannedMs = wholeHours(first.atMs - exceptionDelay(scans) + random.between(3, 8) * hourMs);
  const promises = [{ publishedMs: scans[0]?.reportedMs ?? 0, timeMs: plannedMs }];
  const bad = scans.find((scan) => ['delay', 'customs_hold', 'address_problem', 'attempted'].includes(scan.kind));
  if (bad !== undefined && bad.atMs < end.atMs)
    promises.push({ publishedMs: bad.reportedMs, timeMs: wholeHours(end.atMs + random.between(0, 2) * hourMs) });
  return promises;
}

/** The delay from exceptions before the parcel was loaded for delivery. */
function exceptionDelay(scans: readonly Scan[]): number {
  const index = scans.findIndex((scan) => ['delay', 'customs_hold', 'address_problem'].includes(scan.kind));
  const bad = scans[index];
  const next = scans[index + 1];
  return bad === undefined || next === undefined ? 0 : next.atMs - bad.atMs;
}

function wholeHours(ms: number): number {
  return Math.ceil(ms / hourMs) * hourMs;
}
