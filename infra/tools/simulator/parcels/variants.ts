import { createRandom, type Random } from '../voyages/random.ts';
import type { ParcelCarrier, Route } from './networks.ts';

/** Variants of a journey. */
export const variants = [
  'smooth',
  'attempted',
  'customs_hold',
  'returned',
  'damaged',
  'address_problem',
  'delayed',
  'moved_window',
  'several_pieces',
  'neighbour',
  'left_at_door',
  'locker',
  'closed',
  'refused',
  'customs_payment',
] as const;
export type Variant = (typeof variants)[number];

/** These carriers number each piece apart, as a parcel of its own. */
const singleOnly: readonly ParcelCarrier[] = ['usps', 'gls'];

/** Every second parcel has something that only the last mile knows. */
export function chooseVariant(
  random: Random,
  key: string,
  { carrier, route }: { carrier: ParcelCarrier; route: Route },
): Variant {
  const passesCustoms = route.isImported && route.between.length > 0;
  const usual = random.pick<Variant>(['smooth', 'smooth', 'smooth', ...troubles]);
  const special = createRandom(key, 'special');
  const chosen = special.chance(0.5) ? special.pick(lastMiles) : usual;
  if (chosen === 'several_pieces' && singleOnly.includes(carrier)) return 'smooth';
  // A domestic parcel can't be held at customs.
  if (chosen === 'customs_hold' && !passesCustoms) return 'delayed';
  return chosen === 'customs_payment' && !passesCustoms ? 'locker' : chosen;
}

const troubles = [
  'smooth',
  'attempted',
  'customs_hold',
  'returned',
  'damaged',
  'address_problem',
  'delayed',
] as const satisfies Variant[];
const lastMiles: readonly [Variant, ...Variant[]] = [
  'moved_window',
  'several_pieces',
  'neighbour',
  'left_at_door',
  'locker',
  'closed',
  'refused',
  'customs_payment',
];
