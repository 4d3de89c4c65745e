import type { Line, Vessel } from './fleet.ts';
import { lanes } from './lanes.ts';
import { distanceKm, type Port, portOf } from './ports.ts';
import type { Random } from './random.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** A changed forecast: when it was published and the time it gives, in ms since the voyage's start. */
export type Forecast = { publishedMs: number; timeMs: number; delayReason: string | null };

/** A vessel's arrival or departure, in ms since the voyage's start. */
export type Movement = { plannedMs: number; actualMs: number; revisions: Forecast[] };

/** One vessel's part of the journey. */
export type Leg = {
  from: Port;
  to: Port;
  vessel: Vessel;
  service: string;
  exportVoyage: string;
  importVoyage: string;
  departure: Movement;
  arrival: Movement;
};

const delayReasons = ['CGS', 'WEA', 'YRD', 'LAB', 'PIT', 'TID', 'ENG', 'PTF'] as const;
const minuteMs = 60_000;

/**
 * Plans a direct voyage or one with one or two transshipments, with its planned and actual times. The last arrival is
 * `lateMs` later than usual.
 */
export function planItinerary(random: Random, line: Line, lateMs: number): [Leg, ...Leg[]] {
  const lane = random.pick(lanes);
  const changes = Math.min(lane.hubs.length, random.pick([0, 0, 0, 0, 1, 1, 1, 2, 2, 2]));
  const from = portOf(random.pick(lane.origins));
  const to = portOf(random.pick(lane.destinations));
  const hubs = changes === 1 ? [random.pick(lane.hubs as [(typeof lane.hubs)[number]])] : lane.hubs.slice(0, changes);
  const ports = [from, ...hubs.map((choices) => portOf(random.pick(choices))), to].filter(
    (port, index, all) => port !== all[index - 1],
  );

  const seaMs = lane.seaDays * random.between(0.95, 1.03) * dayMs - (ports.length - 2) * 1.5 * dayMs;
  const spans = ports.slice(1).map((port, index) => Math.max(600, distanceKm(ports[index] ?? from, port)));
  const spanTotal = spans.reduce((sum, span) => sum + span, 0);
  const fleet = shuffled(random, line.vessels);

  let plannedMs = Math.max(random.between(7, 8.5) * dayMs, 28 * dayMs - seaMs - 3 * dayMs * (ports.length - 2));
  let actualMs = plannedMs + minutes(random.chance(0.7) ? random.between(0.2, 6) : random.between(8, 26));
  const legs: Leg[] = [];
  for (const [index, span] of spans.entries()) {
    const last = index === spans.length - 1;
    const sailingMs = (seaMs * span) / spanTotal;
    const arrivalPlannedMs = wholeMinutes(plannedMs + sailingMs);
    const usualMs = actualMs + sailingMs + random.between(last ? 2 : -3, last ? 30 : 10) * hourMs;
    const arrivalActualMs = wholeMinutes(usualMs + (last ? lateMs : 0));
    const voyageNumber = String(random.whole(101, 652));
    legs.push({
      from: ports[index] ?? from,
      to: ports[index + 1] ?? to,
      vessel: fleet[index] ?? line.vessels[0],
      service: random.pick(line.services),
      exportVoyage: `${voyageNumber}W`,
      importVoyage: `${voyageNumber}E`,
      departure: movement(
        random,
        plannedMs,
        actualMs,
        Math.max(1.5 * dayMs, plannedMs - 4 * dayMs),
        random.whole(0, 1),
      ),
      arrival: movement(
        random,
        arrivalPlannedMs,
        arrivalActualMs,
        actualMs,
        last ? random.whole(1, 6) : random.whole(0, 2),
      ),
    });
    plannedMs = wholeMinutes(arrivalPlannedMs + random.between(2, 3) * dayMs);
    actualMs = wholeMinutes(Math.max(plannedMs, arrivalActualMs + 30 * hourMs) + random.between(0, 9) * hourMs);
  }
  const [first, ...others] = legs;
  if (!first) throw new Error('a voyage requires two ports');
  return [first, ...others];
}

/** `count` revisions, published between `sinceMs` and the event, that converge from the plan to the actual time. */
function movement(random: Random, planned: number, actual: number, sinceMs: number, count: number): Movement {
  const plannedMs = wholeMinutes(planned);
  const actualMs = wholeMinutes(actual);
  const untilMs = actualMs - 8 * hourMs;
  const revisions: Forecast[] = [];
  let before = plannedMs;
  for (let index = 1; index <= count && untilMs > sinceMs; index += 1) {
    const publishedMs = wholeMinutes(sinceMs + ((untilMs - sinceMs) * (index - random.between(0.05, 0.6))) / count);
    const drift = (plannedMs - actualMs) * (1 - index / count);
    let timeMs = quarterHours(
      Math.max(actualMs + drift + random.between(-1.5, 1.5) * hourMs, publishedMs + 4 * hourMs),
    );
    if (timeMs === before) timeMs += 30 * minuteMs;
    revisions.push({
      publishedMs,
      timeMs,
      delayReason: timeMs - before > 4 * hourMs ? random.pick(delayReasons) : null,
    });
    before = timeMs;
  }
  return { plannedMs, actualMs, revisions };
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const rest = [...items];
  const result: T[] = [];
  while (rest.length > 0) result.push(...rest.splice(random.whole(0, rest.length - 1), 1));
  return result;
}

function minutes(hours: number): number {
  return wholeMinutes(hours * hourMs);
}

/** Rounded to whole minutes. */
export function wholeMinutes(ms: number): number {
  return Math.round(ms / minuteMs) * minuteMs;
}

function quarterHours(ms: number): number {
  return Math.round(ms / (15 * minuteMs)) * 15 * minuteMs;
}
