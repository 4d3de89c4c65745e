import { type TripMove, tripAt, tripBegins } from '../events/container-trips.ts';
import type { EventCode, TrackingEvent } from '../events/event.ts';
import { eventTimeMs, isLive, isSuspectFuture, uniqueEvents } from '../events/event-order.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import type { Identifiers } from '../record/shipment.ts';
import { knownContainersOf } from '../registration/identifiers.ts';
import { assignLegRoles } from './leg-roles.ts';

/** A container that was registered without a booking or a B/L, which would name the trip. */
export type LoneContainer = { number: string; registeredAt: string };

const dayMs = 86_400_000;
/** Carriers report an end days later, and clients register a container days after it came back. */
const carrierMarginMs = 14 * dayMs;
/** A client that pushes events knows the trip, and also registers it after its end. */
const clientMarginMs = 60 * dayMs;

const moveKinds: { readonly [code in EventCode]?: TripMove['kind'] } = {
  gate_in_empty: 'returned',
  gate_out_empty: 'released',
  stuffed: 'outbound',
  received_from_shipper: 'outbound',
  gate_in_full: 'outbound',
  picked_up: 'outbound',
  loaded: 'outbound',
  rail_loaded: 'outbound',
  rail_departed: 'laden',
  rail_arrived: 'laden',
  rail_unloaded: 'laden',
  departed: 'laden',
  arrived: 'laden',
  discharged: 'laden',
  gate_out_full: 'laden',
  out_for_delivery: 'laden',
  delivered: 'unloaded',
};

/** Null in `loneContainer`: all events are of one trip. */
type TripInput = {
  events: readonly TrackingEvent[];
  transportMode: TransportMode;
  loneContainer?: LoneContainer | null;
};

/** Null: a booking or a B/L names the trip, or there is no container. */
export function loneContainerOf(
  { mbl, booking, ...others }: Identifiers,
  mode: TransportMode,
  registeredAt: string | undefined,
): LoneContainer | null {
  const [number] = knownContainersOf(others);
  const isAlone = mbl === undefined && booking === undefined && (mode === 'ocean' || mode === 'rail');
  return isAlone && number !== undefined && registeredAt !== undefined ? { number, registeredAt } : null;
}

/**
 * Ids of the events of other trips of the container. The shipment's trip is the first that had not ended at the registration, or
 * else the newest, unless that ended long before the registration.
 */
function otherTripIds(
  events: readonly TrackingEvent[],
  { number, registeredAt }: LoneContainer,
  nowMs: number,
): ReadonlySet<string> {
  const own = events.filter(({ container }) => container === null || container === number);
  const live = own.filter(
    (event) => isLive(event) && !(event.classifier === 'actual' && isSuspectFuture(event, nowMs)),
  );
  const begins = tripBegins(live.flatMap((event) => moveOf(event) ?? []));
  const tripOf = (event: TrackingEvent): number => tripAt(begins, eventTimeMs(event));
  const trips = Map.groupBy(
    live.filter(({ classifier }) => classifier === 'actual'),
    tripOf,
  );
  const registeredMs = Date.parse(registeredAt);
  const ends = Array.from({ length: begins.length + 1 }, (_, trip) =>
    endOf(trips.get(trip) ?? [], { isLast: trip === begins.length }),
  );
  const open = ends.findIndex((end) => end === null || eventTimeMs(end) >= registeredMs);
  const newest = ends.at(-1) ?? null;
  const isOver = open === -1 && newest !== null && registeredMs - eventTimeMs(newest) > marginOf(newest);
  const present = isOver ? ends.length : open === -1 ? ends.length - 1 : open;
  return new Set(own.filter((event) => tripOf(event) !== present).map(({ id }) => id));
}

/** The distinct events: those of other trips of the container, and those of this one with their roles. */
export function eventsOfTrip(
  { events, transportMode, loneContainer = null }: TripInput,
  nowMs: number,
): { all: TrackingEvent[]; others: TrackingEvent[]; unique: TrackingEvent[] } {
  const all = uniqueEvents(events);
  if (loneContainer === null) return { all, others: [], unique: withRoles(all, transportMode) };
  const otherIds = otherTripIds(all, loneContainer, nowMs);
  const isOfOther = ({ id }: TrackingEvent): boolean => otherIds.has(id);
  const unique = withRoles(
    all.filter((event) => !isOfOther(event)),
    transportMode,
  );
  return { all, others: all.filter(isOfOther), unique };
}

/** An event without a mode gets the shipment's. The stored mode stays as it is. */
function withRoles(events: readonly TrackingEvent[], transportMode: TransportMode): TrackingEvent[] {
  const roles = assignLegRoles(events.map((event) => ({ ...event, mode: event.mode ?? transportMode })));
  return events.map((event, index) => ({ ...event, legRole: roles[index]?.legRole ?? event.legRole }));
}

function moveOf(event: TrackingEvent): TripMove | null {
  const kind = moveKinds[event.code];
  const isBare = event.empty === true && kind !== 'returned' && kind !== 'released';
  // A vessel sails whatever becomes of the container.
  if (kind === undefined || isBare || (event.container === null && kind !== 'returned' && kind !== 'released'))
    return null;
  return { atMs: eventTimeMs(event), actual: event.classifier === 'actual', kind };
}

function marginOf({ source }: TrackingEvent): number {
  return source === 'client' ? clientMarginMs : carrierMarginMs;
}

/** The event that ended a trip. Null: it is open. */
function endOf(events: readonly TrackingEvent[], { isLast }: { isLast: boolean }): TrackingEvent | null {
  const ends = events.filter(({ code }) => code === 'gate_in_empty' || code === 'delivered');
  const closing = ends.length === 0 && !isLast ? events : ends;
  const end = closing.reduce<TrackingEvent | null>(
    (last, event) => (last === null || eventTimeMs(event) > eventTimeMs(last) ? event : last),
    null,
  );
  if (end === null || !isLast) return end;
  return events.some((event) => eventTimeMs(event) > eventTimeMs(end) && startsTrip(event)) ? null : end;
}

function startsTrip(event: TrackingEvent): boolean {
  const kind = moveOf(event)?.kind;
  return kind === 'outbound' || kind === 'released';
}
