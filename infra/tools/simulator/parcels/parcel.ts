import { createRandom, type Random } from '../voyages/random.ts';
import type { City } from './cities.ts';
import { type DeliveryPromise, promisesOf } from './delivery-promises.ts';
import { type Goods, goodsOf } from './goods.ts';
import { planLastMile } from './last-mile.ts';
import { type ParcelCarrier, planRoute } from './networks.ts';
import { beginPlan, type Plan } from './scan-plan.ts';
import type { Scan } from './scans.ts';
import { chooseVariant, type Variant } from './variants.ts';

/** A parcel from label to delivery or return. It depends only on the seed, the carrier and the number. */
export type Parcel = {
  key: string;
  carrier: ParcelCarrier;
  number: string;
  variant: Variant;
  origin: City;
  destination: City;
  isImported: boolean;
  scans: Scan[];
  promises: DeliveryPromise[];
  goods: Goods;
  /** Duration until the last scan is reported. */
  durationMs: number;
  startFraction: number;
};

/** Plans the parcel of a number. */
export function planParcel(seed: string, carrier: ParcelCarrier, number: string): Parcel {
  const key = `${seed}|${carrier}|${number}`;
  const random = createRandom(key, 'parcel');
  const route = planRoute(random, carrier);
  const variant = chooseVariant(random, key, { carrier, route });
  const goods = goodsOf(key, { carrier, number, pieces: variant === 'several_pieces' ? 'several' : 'one' });
  const plan = beginPlan(random);

  plan.scan('label', route.origin, random.between(0, 0.2));
  plan.scan('pickup', route.origin, random.between(3, 20));
  plan.scan('departed', route.origin, random.between(2, 6));
  for (const [index, city] of route.between.entries()) {
    plan.scan('arrived', city, random.between(4, 11));
    if (index === 0 && variant === 'delayed') plan.scan('delay', city, random.between(1, 3));
    if (index === 0 && variant === 'damaged') plan.scan('damage', city, random.between(1, 3));
    if (index === route.between.length - 1 && route.isImported) planCustoms(plan, random, { city, variant });
    plan.scan('departed', city, variant === 'delayed' && index === 0 ? random.between(26, 40) : random.between(2, 7));
  }
  plan.scan('arrived', route.destination, random.between(4, 12), true);
  planLastMile(plan, random, { route, variant, pieces: goods.pieces.length });

  const scans = plan.scans.sort((left, right) => left.atMs - right.atMs);
  const durationMs = Math.max(...scans.map((scan) => scan.reportedMs));
  return {
    key,
    carrier,
    number,
    variant,
    origin: route.origin,
    destination: route.destination,
    isImported: route.isImported,
    scans,
    promises: promisesOf(random, scans, variant),
    goods,
    durationMs,
    startFraction: createRandom(key, 'start').between(0.03, 0.9),
  };
}

function planCustoms(plan: Plan, random: Random, { city, variant }: { city: City; variant: Variant }): void {
  plan.scan('customs', city, random.between(0.5, 2));
  if (variant === 'customs_hold') plan.scan('customs_hold', city, random.between(1, 4));
  if (variant === 'customs_payment') plan.scan('customs_payment', city, 3);
  const isHeld = variant === 'customs_hold' || variant === 'customs_payment';
  plan.scan('customs_released', city, isHeld ? random.between(14, 40) : random.between(1, 4));
}
