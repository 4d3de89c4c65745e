import type { EventCode, LegRole, ReadEvent, TrackingEvent } from '../events/event.ts';
import { compareText, eventTimeMs, isLive, seenAt } from '../events/event-order.ts';
import { placeKey } from '../events/place-key.ts';

export type RoleEvent = Pick<
  ReadEvent,
  'code' | 'classifier' | 'legRole' | 'time' | 'location' | 'container' | 'mode' | 'sourceCreatedAt'
> &
  Partial<Pick<TrackingEvent, 'receivedAt' | 'supersededBy' | 'voidedAt' | 'vehicle'>>;

type Move = { place: string; atMs: number; ocean: boolean };
/** Ports of a journey from the events of one container (or of unnamed cargo). Keys are those of `placeKey`. */
type Ports = {
  pol: string | null;
  pod: string | null;
  destination: string | null;
  transshipment: Set<string>;
  /** Ports that the cargo passes on board. */
  passed: ReadonlySet<string>;
  leftMs: number | null;
  reachedMs: number | null;
  /** Both ends of the journey are in one place. Null: they are in two. */
  roundTrip: RoundTrip | null;
};

/** When the cargo was elsewhere. Null: it was seen nowhere else. `leftMs`: when it departed from the place first. */
type RoundTrip = { place: string; leftMs: number | null; elsewhere: { fromMs: number; untilMs: number } | null };

const loadCodes: readonly EventCode[] = ['loaded', 'rail_loaded'];
const departCodes: readonly EventCode[] = ['departed', 'rail_departed'];
const dischargeCodes: readonly EventCode[] = ['discharged', 'rail_unloaded', 'received_from_flight'];
const arriveCodes: readonly EventCode[] = ['arrived', 'rail_arrived'];
const inboundCodes: readonly EventCode[] = [...dischargeCodes, ...arriveCodes];
const outboundCodes: readonly EventCode[] = [...loadCodes, ...departCodes];
const moveCodes: readonly EventCode[] = [...inboundCodes, ...outboundCodes];
const beforeLoadingCodes: readonly EventCode[] = [
  'gate_out_empty',
  'stuffed',
  'received_from_shipper',
  'gate_in_full',
  'picked_up',
  'manifested',
];
/** Codes of the beginning of a journey, by which a place that is both of its ends is the origin. */
const beginningCodes: readonly EventCode[] = [...beforeLoadingCodes, ...outboundCodes, 'information_received'];
const classifierRanks = { planned: 0, estimated: 1, actual: 2 } as const;
// Containers of one shipment may disagree about a port. The first role in this list claims the least progress.
const cautiousRoles: readonly LegRole[] = ['transshipment', 'pol', 'origin', 'inland', 'destination', 'pod', 'unknown'];

/**
 * Infers the role of each event on the journey from port and sequence, including planned and estimated events. A role
 * that the connector stated stays. Pass all events as stored: roles are inferred anew each time and never stored,
 * because a later event may change them.
 */
export function assignLegRoles<E extends RoleEvent>(events: readonly E[]): E[] {
  const live = events.filter(isLive);
  const numbers = [...new Set(live.map((event) => event.container).filter((number) => number !== null))];
  const portsByContainer = new Map(
    numbers.map((number) => [
      number,
      readPorts(live.filter((event) => event.container === null || event.container === number)),
    ]),
  );
  const sharedPorts = portsByContainer.size > 0 ? [...portsByContainer.values()] : [readPorts(live)];

  return events.map((event) => {
    if (event.legRole !== 'unknown') return event;
    const own = event.container === null ? undefined : portsByContainer.get(event.container);
    const roles = (own === undefined ? sharedPorts : [own]).map((ports) => roleAt(event, ports));
    const legRole = cautiousRoles.find((role) => roles.includes(role)) ?? 'unknown';
    return legRole === 'unknown' ? event : { ...event, legRole };
  });
}

/** True for rail and road movements: the inland part of an ocean or air journey. */
export function isInlandMove(event: Pick<ReadEvent, 'code' | 'mode'>): boolean {
  return event.mode === 'rail' || event.mode === 'road' || event.code.startsWith('rail_');
}

function readPorts(events: readonly RoleEvent[]): Ports {
  const moves = events.filter((event) => moveCodes.includes(event.code) && placeKey(event.location) !== null);
  const seaOrAir = moves.filter((event) => !isInlandMove(event));
  const main = seaOrAir.length > 0 ? seaOrAir : moves;
  const loads = effectiveMoves(main, loadCodes);
  const departures = effectiveMoves(main, departCodes);
  const discharges = effectiveMoves(main, dischargeCodes);

  const first = statedMove(events, 'pol') ?? firstMove(loads, departures, discharges);
  const pol = first?.place ?? placeOfGateIn(events);
  const inbound = effectiveMoves(main, inboundCodes).filter((move) => move.place !== pol);
  const onward = new Set(loads.map((move) => move.place));
  // A ship leaves its last port too, so at sea only a loading shows that the cargo continues.
  for (const departure of departures) if (!departure.ocean) onward.add(departure.place);
  const last = statedMove(events, 'pod') ?? inbound.filter((move) => !onward.has(move.place)).at(-1) ?? null;
  const pod = last?.place ?? null;

  const transshipment = new Set(main.map((event) => placeKey(event.location) ?? ''));
  for (const end of [pol, pod]) if (end !== null) transshipment.delete(end);
  const reachedMs = last?.atMs ?? null;
  const inlandMoves = seaOrAir.length > 0 ? moves.filter(isInlandMove) : [];
  const destination = finalPlace(events, inlandMoves, reachedMs);
  if (destination !== null) transshipment.delete(destination);
  const passed = passedPlaces(main, loads);
  for (const place of passed) transshipment.delete(place);
  const roundTrip = destination === null ? null : readRoundTrip(events, destination);
  return { pol, pod, destination, transshipment, passed, leftMs: first?.atMs ?? null, reachedMs, roundTrip };
}

/**
 * Ports that the cargo only passes on board: the voyage that it was loaded for departed from there, and nothing is
 * discharged or loaded. A departure that is only planned may belong to a route that was given up.
 */
function passedPlaces(main: readonly RoleEvent[], loads: readonly Move[]): Set<string> {
  const loaded = new Set(loads.map(({ place }) => place));
  const voyages = new Set(main.filter(({ code }) => loadCodes.includes(code)).map(voyageOf));
  const byPlace = Map.groupBy(main, (event) => placeKey(event.location) ?? '');
  const passed = [...byPlace].flatMap(([place, events]) => {
    const isLifted = loaded.has(place) || events.some(({ code }) => dischargeCodes.includes(code));
    const departed = events.some(({ code, classifier }) => departCodes.includes(code) && classifier === 'actual');
    const onBoard = events.every((event) => voyageOf(event) !== null && voyages.has(voyageOf(event)));
    return !isLifted && departed && onBoard ? [place] : [];
  });
  return new Set(passed);
}

function voyageOf({ vehicle }: RoleEvent): string | null {
  const voyage = vehicle?.voyage ?? null;
  return voyage === null ? null : `${vehicle?.imo ?? vehicle?.name ?? ''}|${voyage}`;
}

/** True when a journey to this place also began there, as that of a parcel that is sent within a town. */
function readRoundTrip(events: readonly RoleEvent[], place: string): RoundTrip | null {
  const seen = events
    .filter((event) => event.classifier === 'actual' && event.code !== 'delivered' && placeKey(event.location) !== null)
    .map((event) => ({ event, atMs: eventTimeMs(event), isThere: placeKey(event.location) === place }));
  const firstMs = Math.min(...seen.map(({ atMs }) => atMs));
  const first = seen.filter(({ atMs }) => atMs === firstMs);
  if (first.length === 0 || !first.some(({ isThere }) => isThere)) return null;
  const others = seen.filter(({ isThere }) => !isThere).map(({ atMs }) => atMs);
  const left = seen.filter(({ event, isThere }) => isThere && departCodes.includes(event.code)).map(({ atMs }) => atMs);
  return {
    place,
    leftMs: left.length === 0 ? null : Math.min(...left),
    elsewhere: others.length === 0 ? null : { fromMs: Math.min(...others), untilMs: Math.max(...others) },
  };
}

/**
 * Before the cargo is elsewhere, its beginning is at the origin, and what is only handled there may be at either end.
 * After that, it is at the destination, as is what arrives after a departure.
 */
function roleOfRoundTrip(event: RoleEvent, { leftMs, elsewhere }: RoundTrip): LegRole {
  const atMs = eventTimeMs(event);
  if (event.code === 'delivered') return 'destination';
  if (elsewhere !== null && atMs > elsewhere.fromMs) return atMs > elsewhere.untilMs ? 'destination' : 'unknown';
  if (beginningCodes.includes(event.code)) return 'origin';
  return arriveCodes.includes(event.code) && leftMs !== null && atMs > leftMs ? 'destination' : 'unknown';
}

/** One move per place, oldest first: an actual time before an estimate before a plan, then the one seen last. */
function effectiveMoves(events: readonly RoleEvent[], codes: readonly EventCode[]): Move[] {
  const best = new Map<string, RoleEvent>();
  for (const event of events) {
    const place = codes.includes(event.code) ? placeKey(event.location) : null;
    if (place === null) continue;
    const present = best.get(place);
    if (present === undefined || compareTrust(event, present) > 0) best.set(place, event);
  }
  if (best.size === 0) return [];
  const oceanPlaces = new Set(events.filter(isAtSea).map((event) => placeKey(event.location)));
  return [...best]
    .map(([place, event]) => ({ place, atMs: eventTimeMs(event), ocean: oceanPlaces.has(place) }))
    .sort((left, right) => left.atMs - right.atMs || compareText(left.place, right.place));
}

function isAtSea(event: RoleEvent): boolean {
  return event.mode === 'ocean' || event.mode === null;
}

function compareTrust(left: RoleEvent, right: RoleEvent): number {
  return (
    classifierRanks[left.classifier] - classifierRanks[right.classifier] ||
    compareText(seenAt(left), seenAt(right)) ||
    eventTimeMs(left) - eventTimeMs(right)
  );
}

/**
 * The first loading. If that follows a discharge at the same port (the data start late), the earliest departure
 * elsewhere.
 */
function firstMove(loads: readonly Move[], departures: readonly Move[], discharges: readonly Move[]): Move | null {
  const load = loads[0];
  if (load === undefined) return departures[0] ?? null;
  const cameFromElsewhere = discharges.some((move) => move.place === load.place && move.atMs < load.atMs);
  const earlier = departures.find((move) => move.place !== load.place && move.atMs < load.atMs);
  return cameFromElsewhere && earlier !== undefined ? earlier : load;
}

function statedMove(events: readonly RoleEvent[], role: LegRole): Move | null {
  const moves = effectiveMoves(
    events.filter((event) => event.legRole === role),
    role === 'pol' ? outboundCodes : inboundCodes,
  );
  return (role === 'pol' ? moves[0] : moves.at(-1)) ?? null;
}

function placeOfGateIn(events: readonly RoleEvent[]): string | null {
  return effectiveMoves(events, ['gate_in_full']).at(-1)?.place ?? null;
}

/**
 * Returns the end of the inland part: the place of delivery, otherwise the last inland arrival from which nothing
 * departs.
 */
function finalPlace(
  events: readonly RoleEvent[],
  inlandMoves: readonly RoleEvent[],
  reachedMs: number | null,
): string | null {
  const delivery = effectiveMoves(events, ['delivered']).at(-1);
  if (delivery !== undefined) return delivery.place;
  if (reachedMs === null) return null;
  const leaves = new Set(effectiveMoves(inlandMoves, outboundCodes).map((move) => move.place));
  const arrivals = effectiveMoves(inlandMoves, inboundCodes).filter(
    (move) => move.atMs >= reachedMs && !leaves.has(move.place),
  );
  return arrivals.at(-1)?.place ?? null;
}

function roleAt(event: RoleEvent, ports: Ports): LegRole {
  const place = placeKey(event.location);
  if (place === null) return 'unknown';
  // A port of loading keeps its role when the cargo is delivered beside it: only a local load has both ends in one town.
  const isLocal = ports.pol === null || (place === ports.pol && ports.pod === null && isInlandMove(event));
  if (isLocal && place === ports.roundTrip?.place) return roleOfRoundTrip(event, ports.roundTrip);
  if (place === ports.pol) return 'pol';
  if (place === ports.pod) return departCodes.includes(event.code) && isInlandMove(event) ? 'inland' : 'pod';
  if (ports.transshipment.has(place)) return 'transshipment';
  if (place === ports.destination) return 'destination';
  if (ports.passed.has(place)) return 'unknown';
  const atMs = eventTimeMs(event);
  if (ports.leftMs === null) return beforeLoadingCodes.includes(event.code) ? 'origin' : 'unknown';
  return atMs <= ports.leftMs ? 'origin' : 'inland';
}
