import { createRandom, type Random } from '../voyages/random.ts';
import { type Airline, airlineOf, type Station, stations } from './stations.ts';

/** A milestone of the shipment (a Cargo-IMP status). Times in ms since the booking. */
export type AirMilestone = {
  code: string;
  station: Station;
  /** `LH8160`. Null for a milestone without a flight. */
  flight: string | null;
  /** Number of pieces that the milestone covers: a part when the cargo is split, otherwise all. */
  pieces: number;
  plan: Published | null;
  estimate: Published | null;
  /** Null: replaced by another flight before it happened. */
  actual: Published | null;
  /** When another flight replaced this one. */
  withdrawnMs: number | null;
};

export type Published = { publishedMs: number; timeMs: number };

/** An air shipment from booking to delivery. It depends only on the seed and the number. */
export type AirJourney = {
  key: string;
  awb: string;
  airline: Airline;
  origin: Station;
  destination: Station;
  pieces: number;
  /** Gross weight of one piece, in kg. */
  pieceKg: number;
  isSplit: boolean;
  milestones: AirMilestone[];
  durationMs: number;
  startFraction: number;
};

type Leg = { from: Station; to: Station; flight: string; departureMs: number; durationMs: number };
type Plan = { random: Random; pieces: number; milestones: AirMilestone[] };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Plans the journey of an air waybill (11 digits): direct or through the airline's hub, sometimes offloaded, late for
 * its transfer, or split. A split shipment arrives on two flights and is delivered whole or in its two parts.
 */
export function planAirJourney(seed: string, awb: string): AirJourney {
  const key = `${seed}|air|${awb}`;
  const random = createRandom(key, 'journey');
  const airline = airlineOf(awb.slice(0, 3));
  const origin = random.pick(stations);
  const destination =
    stations[(stations.indexOf(origin) + random.whole(1, stations.length - 1)) % stations.length] ?? origin;
  const pieces = random.whole(2, 40);
  const plan: Plan = { random, pieces, milestones: [] };
  const stops = random.chance(0.3) ? [origin, destination] : [origin, airline.hub, destination];
  const legs = planLegs(random, airline, stops);
  const [first] = legs;
  const mishap = random.pick(['none', 'none', 'offload', 'missed', 'split'] as const);

  step(plan, 'BKD', origin, { atMs: 0, flight: first?.flight ?? null });
  const receivedMs = (first?.departureMs ?? 0) - random.between(7, 14) * hourMs;
  if (random.chance(0.3)) step(plan, 'FOH', origin, { atMs: receivedMs - random.between(1, 3) * hourMs });
  step(plan, 'RCS', origin, { atMs: receivedMs, plannedMs: receivedMs + hourMs });
  let lateMs = 0;
  let availableMs = receivedMs;
  for (const [index, leg] of legs.entries()) {
    const isLast = index === legs.length - 1;
    const isHit = mishap === 'offload' ? index === 0 : mishap === 'missed' ? index === 1 : false;
    if (isHit) lateMs += changeFlight(plan, leg, { lateMs, isOffload: mishap === 'offload', airline });
    const parts = mishap === 'split' && isLast ? partsOf(pieces) : [pieces];
    for (const [part, count] of parts.entries()) {
      // The second part departs before the first one lands.
      const flown = { ...leg, flight: part === 0 && !isHit ? leg.flight : otherFlight(airline, random) };
      const partMs = part * random.between(1, 2) * hourMs;
      availableMs = Math.max(
        availableMs,
        fly(plan, flown, { lateMs: lateMs + partMs, pieces: count, planKnown: part === 0 && !isHit }),
      );
    }
  }
  const notifiedMs = availableMs + random.between(0.5, 3) * hourMs;
  const plannedEndMs = (legs.at(-1)?.departureMs ?? 0) + (legs.at(-1)?.durationMs ?? 0) + 6 * hourMs;
  if (random.chance(0.3)) step(plan, 'CRC', destination, { atMs: notifiedMs - 20 * minuteMs });
  step(plan, 'NFD', destination, { atMs: notifiedMs, plannedMs: plannedEndMs });
  if (random.chance(0.5)) step(plan, 'AWD', destination, { atMs: notifiedMs + random.between(0.3, 1) * hourMs });
  if (random.chance(0.5)) step(plan, 'CCD', destination, { atMs: notifiedMs + random.between(1, 2) * hourMs });
  const deliveredMs = notifiedMs + random.between(3, 20) * hourMs;
  // A generator of its own, so that the other journeys of a seed stay as they are.
  const cargo = createRandom(key, 'cargo');
  const pieceKg = cargo.whole(40, 600) / 10;
  const collected = mishap === 'split' && cargo.chance(0.5) ? partsOf(pieces) : [pieces];
  for (const [part, count] of collected.entries()) {
    step(plan, 'DLV', destination, {
      atMs: deliveredMs + part * cargo.between(2, 6) * hourMs,
      pieces: count,
      ...(part === 0 ? { plannedMs: plannedEndMs + 12 * hourMs } : {}),
    });
  }

  const durationMs = Math.max(...plan.milestones.map((milestone) => milestone.actual?.publishedMs ?? 0));
  const startFraction = createRandom(key, 'start').between(0.03, 0.9);
  return {
    key,
    awb,
    airline,
    origin,
    destination,
    pieces,
    pieceKg,
    isSplit: mishap === 'split',
    milestones: plan.milestones,
    durationMs,
    startFraction,
  };
}

function partsOf(pieces: number): number[] {
  return [Math.ceil(pieces / 2), Math.floor(pieces / 2)];
}

/** The gross weight of some of the pieces, in kg. */
export function weightOf({ pieceKg }: Pick<AirJourney, 'pieceKg'>, pieces: number): number {
  return Math.round(pieces * pieceKg * 10) / 10;
}

function planLegs(random: Random, airline: Airline, stops: readonly Station[]): Leg[] {
  const legs: Leg[] = [];
  let departureMs = wholeMinutes(random.between(30, 90) * hourMs);
  for (const [index, to] of stops.slice(1).entries()) {
    const from = stops[index] ?? to;
    const durationMs = wholeMinutes(random.between(6, 13) * hourMs);
    legs.push({ from, to, flight: otherFlight(airline, random), departureMs, durationMs });
    departureMs += durationMs + wholeMinutes(random.between(8, 20) * hourMs);
  }
  return legs;
}

/** The cargo misses its flight: offloaded at the origin, or too late at the hub. Returns the delay in ms. */
function changeFlight(plan: Plan, leg: Leg, change: { lateMs: number; isOffload: boolean; airline: Airline }): number {
  const { random } = plan;
  const departureMs = leg.departureMs + change.lateMs;
  const withdrawnMs = departureMs + 30 * minuteMs;
  const booked = { flight: leg.flight, withdrawnMs };
  step(plan, 'DEP', leg.from, { ...booked, atMs: null, plannedMs: leg.departureMs });
  step(plan, 'ARR', leg.to, { ...booked, atMs: null, plannedMs: leg.departureMs + leg.durationMs });
  if (change.isOffload) {
    step(plan, 'MAN', leg.from, { flight: leg.flight, atMs: departureMs - 2 * hourMs });
    step(plan, 'DIS_OFLD', leg.from, { atMs: departureMs - 20 * minuteMs });
  } else {
    step(plan, 'DIS_SSPD', leg.from, { atMs: departureMs + 10 * minuteMs });
  }
  return wholeMinutes(random.between(10, 26) * hourMs);
}

/** One flight from manifest to receipt. Returns when the cargo is received. */
function fly(plan: Plan, leg: Leg, how: { lateMs: number; pieces: number; planKnown: boolean }): number {
  const { random } = plan;
  const { flight } = leg;
  const departureMs = leg.departureMs + how.lateMs + wholeMinutes(random.between(-5, 50) * minuteMs);
  const arrivalMs = departureMs + leg.durationMs + wholeMinutes(random.between(-15, 25) * minuteMs);
  const receivedMs = arrivalMs + wholeMinutes(random.between(1, 4) * hourMs);
  const common = { flight, pieces: how.pieces };
  // The airline announces a rebooked flight only after the original one has departed.
  const announcedMs = how.planKnown ? 10 * minuteMs : leg.departureMs + how.lateMs - 4 * hourMs;
  const scheduledMs = leg.departureMs + how.lateMs;
  step(plan, 'MAN', leg.from, { ...common, atMs: departureMs - random.between(1, 2.5) * hourMs });
  step(plan, 'DEP', leg.from, { ...common, atMs: departureMs, plannedMs: scheduledMs, announcedMs });
  const estimate = {
    publishedMs: departureMs + 20 * minuteMs,
    timeMs: arrivalMs + wholeMinutes(random.between(-20, 20) * minuteMs),
  };
  step(plan, 'ARR', leg.to, {
    ...common,
    atMs: arrivalMs,
    plannedMs: scheduledMs + leg.durationMs,
    announcedMs,
    estimate,
  });
  step(plan, 'RCF', leg.to, { ...common, atMs: receivedMs });
  return receivedMs;
}

type Step = {
  atMs: number | null;
  flight?: string | null;
  pieces?: number;
  plannedMs?: number;
  announcedMs?: number;
  estimate?: Published;
  withdrawnMs?: number;
};

function step(plan: Plan, code: string, station: Station, what: Step): void {
  const atMs = what.atMs === null ? null : wholeMinutes(what.atMs);
  plan.milestones.push({
    code,
    station,
    flight: what.flight ?? null,
    pieces: what.pieces ?? plan.pieces,
    plan:
      what.plannedMs === undefined
        ? null
        : { publishedMs: what.announcedMs ?? 10 * minuteMs, timeMs: wholeMinutes(what.plannedMs) },
    estimate: what.estimate ?? null,
    actual:
      atMs === null ? null : { publishedMs: atMs + wholeMinutes(plan.random.between(1, 14) * minuteMs), timeMs: atMs },
    withdrawnMs: what.withdrawnMs ?? null,
  });
}

function otherFlight(airline: Airline, random: Random): string {
  return `${airline.code}${random.whole(8000, 8999)}`;
}

function wholeMinutes(ms: number): number {
  return Math.round(ms / minuteMs) * minuteMs;
}
