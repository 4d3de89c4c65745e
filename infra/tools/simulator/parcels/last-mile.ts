import type { Random } from '../voyages/random.ts';
import type { Route } from './networks.ts';
import type { Plan } from './scan-plan.ts';
import type { ScanKind } from './scans.ts';
import type { Variant } from './variants.ts';

/** Kind of handover of a delivery without problems. */
const handedOver: { [variant in Variant]?: ScanKind } = {
  neighbour: 'delivered_neighbour',
  left_at_door: 'left_at_door',
};

/** Plans what happens from the delivering facility on. */
export function planLastMile(
  plan: Plan,
  random: Random,
  { route, variant, pieces }: { route: Route; variant: Variant; pieces: number },
): void {
  const { destination } = route;
  if (variant === 'address_problem') plan.scan('address_problem', destination, random.between(1, 4), true);
  plan.scan(
    'out_for_delivery',
    destination,
    variant === 'address_problem' ? random.between(18, 26) : random.between(4, 10),
    true,
  );
  switch (variant) {
    case 'several_pieces':
      for (let piece = 0; piece < pieces; piece += 1) partings[piece]?.(plan.piece(piece), random, route);
      return;
    case 'locker':
      planLocker(plan, random, route);
      return;
    case 'refused':
      plan.scan('refused', destination, random.between(3, 7), true);
      planReturn(plan, random, route);
      return;
    case 'returned':
      plan.scan('attempted', destination, random.between(3, 7), true);
      planReturn(plan, random, route);
      return;
    case 'attempted':
    case 'closed':
      plan.scan(variant, destination, random.between(3, 7), true);
      plan.scan('out_for_delivery', destination, random.between(17, 22), true);
      break;
    case 'moved_window':
      plan.scan('delivered', destination, random.between(6.2, 6.9), true);
      return;
    default:
  }
  plan.scan(handedOver[variant] ?? 'delivered', destination, random.between(2, 7), true);
}

type Parting = (plan: Omit<Plan, 'piece'>, random: Random, route: Route) => void;

/** Fates of the pieces of a shipment: the first ones part from the others by time, the last ones by place. */
const partings: readonly Parting[] = [
  (plan, random, { destination }) => plan.scan('delivered', destination, random.between(2, 5), true),
  planLocker,
  (plan, random, route) => {
    plan.scan('refused', route.destination, random.between(5.5, 7), true);
    planReturn(plan, random, route);
  },
  (plan, random, { destination }) => {
    plan.scan('closed', destination, random.between(7.5, 9), true);
    plan.scan('out_for_delivery', destination, random.between(15, 20), true);
    plan.scan('delivered', destination, random.between(2, 5), true);
  },
];

function planLocker(plan: Omit<Plan, 'piece'>, random: Random, { destination }: Route): void {
  plan.scan('ready', destination, random.between(3, 6), true);
  plan.scan('collected', destination, random.between(3, 14), true);
}

function planReturn(plan: Omit<Plan, 'piece'>, random: Random, { origin, destination, between }: Route): void {
  plan.scan('return_started', destination, random.between(20, 50), true);
  plan.scan('departed', destination, random.between(4, 10), true);
  for (const city of between.toReversed()) plan.scan('arrived', city, random.between(6, 14));
  plan.scan('returned', origin, random.between(20, 40));
}
