import type { EventCode, LegRole, Place, TrackingEvent } from '../events/event.ts';
import { eventTimeMs, isLater } from '../events/event-order.ts';
import type { EventTime, FreeTimeFacts } from '../record/free-time.ts';
import { compareSeen } from '../record/promised-times.ts';

const originRoles: readonly LegRole[] = ['origin', 'pol'];
const finalRoles: readonly LegRole[] = ['pod', 'destination'];
const collectionRoles: readonly LegRole[] = ['pod', 'destination', 'inland', 'unknown'];
const inlandRoles: readonly LegRole[] = ['inland', 'destination'];
/** Events that may start a clock. */
const startCodes: readonly EventCode[] = [
  'discharged',
  'arrived',
  'rail_arrived',
  'rail_unloaded',
  'gate_out_full',
  'picked_up',
];
const railCodes: readonly EventCode[] = ['rail_loaded', 'rail_departed', 'rail_arrived', 'rail_unloaded'];

/** The moves of one container, and where its free time is granted. Null: unknown. */
export type Moves = Pick<FreeTimeFacts, 'milestones' | 'railIn' | 'railOut' | 'goneBy'> & {
  place: Place | null;
  ramp: Place | null;
};

/**
 * Reads the moves of one container. Of several statements of one move, the one that was received last counts, so that
 * a correction replaces what it corrects.
 */
export function readMilestones(happened: readonly TrackingEvent[]): Moves {
  const byCode = Map.groupBy(happened, ({ code }) => code);
  const all = (codes: readonly EventCode[]) => codes.flatMap((code) => byCode.get(code) ?? []);
  const last = (codes: readonly EventCode[], matches: (event: TrackingEvent) => boolean) =>
    lastSeen(all(codes).filter(matches));
  const at = (codes: readonly EventCode[], roles: readonly LegRole[]) =>
    last(codes, ({ legRole }) => roles.includes(legRole));
  // On a journey by rail alone, the ramps are its ports.
  const isByRail = all(['discharged', 'loaded', 'departed']).length === 0;

  const departed = at(isByRail ? ['rail_departed'] : ['departed'], ['pol']);
  const discharged = at(isByRail ? ['rail_unloaded'] : ['discharged'], finalRoles);
  const arrived = at(isByRail ? ['rail_arrived'] : ['arrived'], finalRoles);
  const railIn = lastRamp(all(railCodes), isByRail ? finalRoles : inlandRoles, discharged ?? arrived);
  const reached = railIn ?? discharged ?? arrived;
  const isAfter = (event: TrackingEvent) => reached === undefined || !isLater(reached, event);
  const fullOut = last(
    ['gate_out_full', 'picked_up'],
    (event) =>
      collectionRoles.includes(event.legRole) &&
      (event.legRole !== 'unknown' || reached !== undefined) &&
      isAfter(event),
  );
  const out = fullOut ?? reached;
  const emptyIn = last(['gate_in_empty'], (event) =>
    out === undefined ? !originRoles.includes(event.legRole) : !isLater(out, event),
  );
  const gone = [...all(['out_for_delivery', 'delivered']), ...(emptyIn === undefined ? [] : [emptyIn])];
  const fullIn = last(
    ['gate_in_full', 'received_from_shipper'],
    (event) => originRoles.includes(event.legRole) || (departed !== undefined && !isLater(event, departed)),
  );
  const milestones = {
    ...timed('emptyOut', lastSeen(all(['gate_out_empty']))),
    ...timed('fullIn', fullIn),
    ...timed('loaded', at(isByRail ? ['rail_loaded'] : ['loaded'], ['pol'])),
    ...timed('departed', departed),
    ...timed('arrived', arrived),
    ...timed('discharged', discharged),
    ...timed('fullOut', fullOut),
    ...timed('emptyIn', emptyIn),
  };
  const leaving = all(['rail_loaded', 'rail_departed', 'gate_out_full']);
  return {
    milestones,
    ...timed('railIn', railIn),
    ...(isByRail || discharged === undefined ? {} : timed('railOut', leavingOf(leaving, discharged, railIn))),
    ...(fullOut === undefined ? timed('goneBy', earliest(gone.filter(isAfter))) : {}),
    place: (discharged ?? arrived ?? (railIn === undefined ? fullOut : undefined))?.location ?? null,
    ramp: railIn?.location ?? null,
  };
}

/** The last arrival by rail from which nothing has departed. An unloading says more than the train's arrival. */
function lastRamp(
  rail: readonly TrackingEvent[],
  roles: readonly LegRole[],
  reached: TrackingEvent | undefined,
): TrackingEvent | undefined {
  const sinceMs = reached === undefined ? Number.NEGATIVE_INFINITY : eventTimeMs(reached);
  const isInbound = ({ code }: TrackingEvent) => code === 'rail_unloaded' || code === 'rail_arrived';
  const outMs = rail.reduce((ms, event) => (isInbound(event) ? ms : Math.max(ms, eventTimeMs(event))), sinceMs - 1);
  const inbound = rail.filter(
    (event) => isInbound(event) && roles.includes(event.legRole) && eventTimeMs(event) > outMs,
  );
  return lastSeen(inbound.filter(({ code }) => code === 'rail_unloaded')) ?? lastSeen(inbound);
}

/** Returns the departure from the terminal of discharge, if that was by rail or on the way to a ramp. */
function leavingOf(
  leaving: readonly TrackingEvent[],
  discharged: TrackingEvent,
  railIn: TrackingEvent | undefined,
): TrackingEvent | undefined {
  return earliest(
    leaving.filter(
      (event) =>
        !isLater(discharged, event) &&
        (event.code !== 'gate_out_full' || (railIn !== undefined && isLater(railIn, event))),
    ),
  );
}

function lastSeen(events: readonly TrackingEvent[]): TrackingEvent | undefined {
  return events.length < 2 ? events[0] : [...events].sort(compareSeen).at(-1);
}

function earliest(events: readonly TrackingEvent[]): TrackingEvent | undefined {
  return [...events].sort((left, right) => eventTimeMs(left) - eventTimeMs(right) || compareSeen(left, right))[0];
}

function timed<Name extends string>(name: Name, event: TrackingEvent | undefined): { [name in Name]?: EventTime } {
  if (event === undefined) return {};
  return {
    [name]: startCodes.includes(event.code) ? { time: event.time, eventId: event.id } : { time: event.time },
  } as {
    [name in Name]: EventTime;
  };
}
