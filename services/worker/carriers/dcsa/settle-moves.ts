import { type TripMove, tripAt, tripBegins } from '#shared/domain/events/container-trips.ts';
import type { EventCode, ReadEvent } from '#shared/domain/events/event.ts';
import type { EquipmentMove, MoveKind } from './dcsa-codes.ts';

/**
 * A mapped event. `move` is set where the meaning depends on the container's other events; `settleMoves` then assigns
 * the code.
 */
export type MappedEvent = { event: ReadEvent; move: EquipmentMove | null };

type Voyage = {
  firstLoadMs: number;
  stuffedMs: number;
  endMs: number;
  endPlaces: ReadonlySet<string>;
  /** When cargo first was in the container since it last left a depot: by what happened, and by plans too. */
  cargoMs: { actual: number; stated: number };
  /** The last event after which the container still has its voyage before it. */
  aheadMs: number;
};

/**
 * Assigns the codes of gate moves, pick-ups, drop-offs and strippings. The standard has one code for "gate in" and one
 * for "gate out"; only the container's other events of the same trip show whether it was empty. The result doesn't depend
 * on the order of the events.
 */
export function settleMoves(mapped: readonly MappedEvent[]): ReadEvent[] {
  const byContainer = Map.groupBy(mapped, ({ event }) => event.container ?? '');
  const allArrivals = latestWord(mapped.filter(({ event }) => event.code === 'arrived'));
  const trips = new Map([...byContainer].map(([container, events]) => [container, readTrips(events, allArrivals)]));
  return mapped.map(({ event, move }) => {
    if (move === null) return event;
    const voyage = trips.get(event.container ?? '')?.(timeOf(event));
    return voyage ? { ...event, code: settle(event, move, voyage) } : event;
  });
}

/** The voyages of a container by the time of an event. */
function readTrips(
  events: readonly MappedEvent[],
  allArrivals: readonly ReadEvent[],
): (atMs: number) => Voyage | undefined {
  const begins = tripBegins(events.flatMap((each) => tripMoveOf(each) ?? []));
  const eventsOf = Map.groupBy(events, ({ event }) => tripAt(begins, timeOf(event)));
  const arrivalsOf = Map.groupBy(allArrivals, (event) => tripAt(begins, timeOf(event)));
  const voyages = Array.from({ length: begins.length + 1 }, (_, trip) =>
    readVoyage(eventsOf.get(trip) ?? [], arrivalsOf.get(trip) ?? []),
  );
  return (atMs) => voyages[tripAt(begins, atMs)];
}

function tripMoveOf({ event, move }: MappedEvent): TripMove | null {
  const kind = move === null ? null : tripKindOf(event, move);
  return kind === null ? null : { atMs: timeOf(event), actual: event.classifier === 'actual', kind };
}

function tripKindOf({ empty }: ReadEvent, { kind }: EquipmentMove): TripMove['kind'] | null {
  if (empty === true) return kind === 'gateIn' ? 'returned' : kind === 'gateOut' ? 'released' : null;
  if (kind === 'load' || kind === 'stuff') return 'outbound';
  return empty === false ? 'laden' : null;
}

/** When the container was stuffed, first loaded and last discharged. Infinity where its events don't state it. */
function readVoyage(events: readonly MappedEvent[], allArrivals: readonly ReadEvent[]): Voyage {
  const wordOf = (kind: MoveKind) => latestWord(events.filter(({ move }) => move?.kind === kind));
  const timesOf = (kind: MoveKind): number[] => wordOf(kind).map(timeOf);
  const loads = timesOf('load');
  const lastLoadMs = Math.max(...loads);
  const discharges = wordOf('discharge');
  // Some lines report the vessel's arrival but no discharge. A discharge followed by a loading is a transshipment.
  const arrivals = discharges.length > 0 ? discharges : allArrivals;
  const lastArrivals = arrivals.filter((event) => timeOf(event) >= lastLoadMs);
  const ends = lastArrivals.map(timeOf);
  return {
    firstLoadMs: Math.min(...loads),
    stuffedMs: Math.min(...timesOf('stuff')),
    endMs: loads.length > 0 ? Math.min(...ends) : ends.length > 0 ? Math.max(...ends) : Number.POSITIVE_INFINITY,
    endPlaces: new Set(lastArrivals.map(placeOf)),
    ...readCargo(events, allArrivals),
  };
}

/** Places that an empty container also leaves on its way back. */
const beyondDepots: readonly (string | null)[] = ['POTE', 'CLOC', 'INTE', 'RAMP', 'COFS'];

function readCargo(
  events: readonly MappedEvent[],
  allArrivals: readonly ReadEvent[],
): Pick<Voyage, 'cargoMs' | 'aheadMs'> {
  const emptyOuts = events.filter(({ event, move }) => move?.kind === 'gateOut' && event.empty === true);
  const outPlaces = new Set(emptyOuts.map(({ event }) => placeOf(event)));
  const lastOutMs = latestOf(emptyOuts.filter(({ move }) => !beyondDepots.includes(move?.facilityType ?? null)));
  // A vessel that arrives where the container was collected comes to load it.
  const arrivals = allArrivals.filter((event) => !outPlaces.has(placeOf(event)));
  const evidence = [...events.filter(isCargoMove).map(({ event }) => event), ...arrivals];
  const since = evidence.filter((event) => timeOf(event) >= lastOutMs);
  const voyageMoves = events.filter(({ move }) => move?.kind === 'load' || move?.kind === 'stuff');
  const ahead = [...latestWord(emptyOuts), ...latestWord(voyageMoves), ...allArrivals];
  return {
    cargoMs: {
      actual: earliestOf(since.filter(({ classifier }) => classifier === 'actual')),
      stated: earliestOf(since),
    },
    aheadMs: ahead.reduce((last, event) => Math.max(last, timeOf(event)), Number.NEGATIVE_INFINITY),
  };
}

function isCargoMove({ event, move }: MappedEvent): boolean {
  if (move?.kind === 'gateOut' || move?.kind === 'pick') return event.empty === false;
  return move?.kind === 'load' || move?.kind === 'stuff' || move?.kind === 'discharge';
}

function earliestOf(events: readonly ReadEvent[]): number {
  return events.reduce((first, event) => Math.min(first, timeOf(event)), Number.POSITIVE_INFINITY);
}

function latestOf(mapped: readonly MappedEvent[]): number {
  return mapped.reduce((last, { event }) => Math.max(last, timeOf(event)), Number.NEGATIVE_INFINITY);
}

/** The events without plans and estimates for places where the actual event is known. */
function latestWord(mapped: readonly MappedEvent[]): ReadEvent[] {
  const events = mapped.map(({ event }) => event);
  const done = new Set(events.filter(({ classifier }) => classifier === 'actual').map(placeOf));
  return events.filter((event) => event.classifier === 'actual' || !done.has(placeOf(event)));
}

function timeOf(event: ReadEvent): number {
  return Date.parse(event.time.at);
}

function placeOf(event: ReadEvent): string {
  return event.location?.unlocode ?? event.location?.name ?? '';
}

/**
 * True when an empty container comes back from its voyage: it had cargo, and neither leaves a depot nor is loaded later.
 * Depots also take empty containers that nobody has used yet.
 */
function isReturn(event: ReadEvent, { facilityType }: EquipmentMove, voyage: Voyage): boolean {
  const atMs = timeOf(event);
  const cargoMs = event.classifier === 'actual' ? voyage.cargoMs.actual : voyage.cargoMs.stated;
  const isDepot = facilityType === 'DEPO' || facilityType === 'OFFD';
  return (isDepot || atMs >= voyage.endMs) && atMs >= cargoMs && atMs >= voyage.aheadMs;
}

function settle(event: ReadEvent, move: NonNullable<MappedEvent['move']>, voyage: Voyage): EventCode {
  const atMs = timeOf(event);
  const { empty } = event;
  const isAfter = atMs >= voyage.endMs;
  const isBefore = !isAfter && atMs <= voyage.firstLoadMs;
  switch (move.kind) {
    case 'gateOut':
      if (empty === true) return isBefore && atMs <= voyage.stuffedMs ? 'gate_out_empty' : 'other';
      return isAfter ? 'gate_out_full' : 'other';
    case 'gateIn':
      if (empty === true) return isReturn(event, move, voyage) ? 'gate_in_empty' : 'other';
      return isBefore && (empty === false || Number.isFinite(voyage.firstLoadMs)) ? 'gate_in_full' : 'other';
    case 'drop':
      if (empty === true) return isBefore ? 'gate_out_empty' : 'other';
      if (empty !== false || isBefore) return 'other';
      // Some lines keep a planned delivery when the vessel is delayed beyond it.
      return isAfter || (event.classifier !== 'actual' && voyage.endPlaces.has(placeOf(event))) ? 'delivered' : 'other';
    case 'pick':
      return empty === false && isBefore ? 'picked_up' : 'other';
    case 'strip':
      return isAfter && move.facilityType === 'CLOC' ? 'delivered' : 'other';
    default:
      return event.code;
  }
}
