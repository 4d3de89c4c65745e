import type { EventCode, ReadEvent } from '#shared/domain/tracking/event.ts';
import type { MoveKind } from './dcsa-codes.ts';
import type { MappedEvent } from './map-dcsa-event.ts';

type Voyage = { firstLoadMs: number; stuffedMs: number; endMs: number };

/**
 * Assigns the codes of gate moves, pick-ups, drop-offs and strippings. The standard has one code for "gate in" and one
 * for "gate out"; only the container's other events show whether it was empty. The result doesn't depend on the order
 * of the events.
 */
export function settleMoves(mapped: readonly MappedEvent[]): ReadEvent[] {
  const byContainer = Map.groupBy(mapped, ({ event }) => event.container ?? '');
  const voyages = new Map([...byContainer].map(([container, events]) => [container, readVoyage(events, mapped)]));
  return mapped.map(({ event, move }) => {
    if (move === null) return event;
    const voyage = voyages.get(event.container ?? '');
    return voyage ? { ...event, code: settle(event, move, voyage) } : event;
  });
}

/** When the container was stuffed, first loaded and last discharged. Infinity where its events don't state it. */
function readVoyage(events: readonly MappedEvent[], all: readonly MappedEvent[]): Voyage {
  const timesOf = (kind: MoveKind): number[] => latestWord(events.filter(({ move }) => move?.kind === kind));
  const loads = timesOf('load');
  const lastLoadMs = Math.max(...loads);
  const discharges = timesOf('discharge');
  // Some lines report the vessel's arrival but no discharge. A discharge followed by a loading is a transshipment.
  const arrivals = discharges.length > 0 ? discharges : latestWord(all.filter(({ event }) => event.code === 'arrived'));
  const ends = arrivals.filter((atMs) => atMs >= lastLoadMs);
  return {
    firstLoadMs: Math.min(...loads),
    stuffedMs: Math.min(...timesOf('stuff')),
    endMs: loads.length > 0 ? Math.min(...ends) : ends.length > 0 ? Math.max(...ends) : Number.POSITIVE_INFINITY,
  };
}

/** Times of events, without plans and estimates for places where the actual event is known. */
function latestWord(events: readonly MappedEvent[]): number[] {
  const placeOf = (event: ReadEvent): string => event.location?.unlocode ?? event.location?.name ?? '';
  const done = new Set(events.filter(({ event }) => event.classifier === 'actual').map(({ event }) => placeOf(event)));
  return events
    .filter(({ event }) => event.classifier === 'actual' || !done.has(placeOf(event)))
    .map(({ event }) => Date.parse(event.time.at));
}

function settle(event: ReadEvent, move: NonNullable<MappedEvent['move']>, voyage: Voyage): EventCode {
  const atMs = Date.parse(event.time.at);
  const { empty } = event;
  const isAfter = atMs >= voyage.endMs;
  const isBefore = !isAfter && atMs <= voyage.firstLoadMs;
  switch (move.kind) {
    case 'gateOut':
      if (empty === true) return isBefore && atMs <= voyage.stuffedMs ? 'gate_out_empty' : 'other';
      return isAfter ? 'gate_out_full' : 'other';
    case 'gateIn':
      if (empty === true) return isAfter ? 'gate_in_empty' : 'other';
      return isBefore && (empty === false || Number.isFinite(voyage.firstLoadMs)) ? 'gate_in_full' : 'other';
    case 'drop':
      if (empty === true) return isBefore ? 'gate_out_empty' : 'other';
      return empty === false && isAfter ? 'delivered' : 'other';
    case 'pick':
      return empty === false && isBefore ? 'picked_up' : 'other';
    case 'strip':
      return isAfter && move.facilityType === 'CLOC' ? 'delivered' : 'other';
    default:
      return event.code;
  }
}
