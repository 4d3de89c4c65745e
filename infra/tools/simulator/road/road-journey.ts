import { createRandom, type Random } from '../voyages/random.ts';
import { type City, cities } from './cities.ts';

/** A milestone of the shipment (a type of the standard). Times in ms since the pickup was arranged. */
export type RoadMilestone = {
  type: string;
  city: City;
  facility: string;
  atMs: number;
  reportedMs: number;
  notes: string | null;
};

/** A delivery appointment. Times in ms since the pickup was arranged. */
export type Appointment = { publishedMs: number; startMs: number; endMs: number };

/** A road shipment from pickup to proof of delivery. It depends only on the seed and the number. */
export type RoadJourney = {
  key: string;
  number: string;
  origin: City;
  destination: City;
  milestones: RoadMilestone[];
  pickupRequestedMs: number;
  pickupPlannedMs: number;
  pieces: number;
  /** Gross weight in pounds. */
  weightLb: number;
  /** Oldest first. Empty: the consignee takes deliveries without one. */
  appointments: Appointment[];
  /** The planned delivery times, oldest first. A delay adds one. */
  deliveryPlans: { publishedMs: number; timeMs: number }[];
  durationMs: number;
  startFraction: number;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Plans the journey of a PRO or bill of lading number: terminal to terminal, sometimes delayed, held at a border, or
 * delivered at the second attempt.
 */
export function planRoadJourney(seed: string, number: string): RoadJourney {
  const key = `${seed}|road|${number}`;
  const random = createRandom(key, 'journey');
  const route = pickRoute(random);
  const [origin, destination] = [route[0] ?? cities[0], route.at(-1) ?? cities[0]];
  const milestones: RoadMilestone[] = [];
  let atMs = 0;
  const step = (
    type: string,
    city: City,
    place: 'terminal' | 'shipper' | 'consignee',
    gapH: readonly [number, number],
    notes: string | null = null,
  ): void => {
    atMs = Math.round((atMs + random.between(gapH[0], gapH[1]) * hourMs) / minuteMs) * minuteMs;
    const facility =
      place === 'terminal'
        ? `${city.city} Terminal`
        : place === 'shipper'
          ? `${city.city} Plant`
          : `${city.city} Store`;
    const reportedMs = atMs + Math.round(random.between(1, 20)) * minuteMs;
    milestones.push({ type, city, facility, atMs, reportedMs, notes });
  };

  step('PICKUP_SCHEDULED', origin, 'shipper', [0, 0.1]);
  if (random.chance(0.15)) step('PICKUP_ATTEMPTED', origin, 'shipper', [4, 8], 'Freight not ready');
  step('PICKED_UP', origin, 'shipper', [12, 26]);
  const delays: number[] = [];
  const delayed = random.chance(0.35) ? random.whole(1, route.length - 1) : 0;
  for (const [index, city] of route.entries()) {
    const isLast = index === route.length - 1;
    step('ARRIVED_AT_TERMINAL', city, 'terminal', index === 0 ? [1, 4] : [8, 20]);
    const before = route[index - 1];
    if (before && before.country !== city.country && random.chance(0.5)) {
      step('CUSTOMS_HOLD', city, 'terminal', [0.5, 1]);
      step('CUSTOMS_CLEARED', city, 'terminal', [2, 9]);
    }
    if (isLast) break;
    if (delayed === index + 1) {
      step('DELAY', city, 'terminal', [1, 2], random.pick(['Severe weather', 'Mechanical trouble', 'Road closed']));
      delays.push(milestones.length - 1);
      atMs += random.between(10, 20) * hourMs;
    }
    step('DEPARTED_TERMINAL', city, 'terminal', [3, 9]);
    if (random.chance(0.4)) step('IN_TRANSIT', city, 'terminal', [1, 3]);
  }
  step('OUT_FOR_DELIVERY', destination, 'terminal', [4, 12]);
  if (random.chance(0.2)) {
    step('DELIVERY_ATTEMPTED', destination, 'consignee', [1, 5], 'Consignee closed');
    step('OUT_FOR_DELIVERY', destination, 'terminal', [16, 22]);
  }
  step('DELIVERED', destination, 'consignee', [1, 6]);
  const deliveredMs = atMs;
  step('PROOF_OF_DELIVERY', destination, 'consignee', [0.5, 5]);

  const cargo = createRandom(key, 'cargo');
  const pieces = cargo.whole(1, 24);
  const weightLb = pieces * cargo.whole(40, 900);
  const appointments = cargo.chance(0.5) ? appointmentsFor(milestones) : [];

  const lateMs = delays.length === 0 ? 0 : 18 * hourMs;
  const firstPlanMs = Math.ceil((deliveredMs - lateMs) / hourMs) * hourMs;
  const revisions = delays.map((index) => ({
    publishedMs: milestones[index]?.reportedMs ?? 0,
    timeMs: firstPlanMs + lateMs,
  }));
  return {
    key,
    number,
    origin,
    destination,
    milestones,
    pickupRequestedMs: 10 * hourMs,
    pickupPlannedMs: 14 * hourMs,
    pieces,
    weightLb,
    appointments,
    deliveryPlans: [{ publishedMs: 0, timeMs: firstPlanMs }, ...revisions],
    durationMs: Math.max(...milestones.map((milestone) => milestone.reportedMs)),
    startFraction: createRandom(key, 'start').between(0.03, 0.9),
  };
}

/** A window of four hours around each attempt, made when the truck leaves for it. */
function appointmentsFor(milestones: readonly RoadMilestone[]): Appointment[] {
  return milestones.flatMap(({ type, reportedMs }, index): Appointment[] => {
    if (type !== 'OUT_FOR_DELIVERY') return [];
    const attemptMs = milestones[index + 1]?.atMs ?? 0;
    const startMs = Math.floor(attemptMs / hourMs) * hourMs - hourMs;
    return [{ publishedMs: reportedMs, startMs, endMs: startMs + 4 * hourMs }];
  });
}

/** Two to four different cities. */
function pickRoute(random: Random): City[] {
  const left = [...cities];
  const stops = random.whole(2, 4);
  return Array.from({ length: stops }, () => left.splice(random.whole(0, left.length - 1), 1)[0] ?? cities[0]);
}
