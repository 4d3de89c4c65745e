import type { EventCode, LegRole, Place, TrackingEvent } from '../tracking/event.ts';
import { eventTimeMs } from '../tracking/event-order.ts';
import { compareSeen } from '../tracking/promised-times.ts';
import type { EventTime, FreeTimeFacts } from './free-time.ts';

const originRoles: readonly LegRole[] = ['origin', 'pol'];
const finalRoles: readonly LegRole[] = ['pod', 'destination'];
const collectionRoles: readonly LegRole[] = ['pod', 'destination', 'inland', 'unknown'];
const inlandRoles: readonly LegRole[] = ['inland', 'destination'];

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
  const last = (matches: (event: TrackingEvent) => boolean) => happened.filter(matches).sort(compareSeen).at(-1);
  const of = (codes: readonly EventCode[], roles: readonly LegRole[]) =>
    last(({ code, legRole }) => codes.includes(code) && roles.includes(legRole));
  // On a journey by rail alone, the ramps are its ports.
  const isByRail = !happened.some(({ code }) => code === 'discharged' || code === 'loaded' || code === 'departed');

  const departed = of(isByRail ? ['rail_departed'] : ['departed'], ['pol']);
  const discharged = of(isByRail ? ['rail_unloaded'] : ['discharged'], finalRoles);
  const arrived = of(isByRail ? ['rail_arrived'] : ['arrived'], finalRoles);
  const railIn = lastRamp(happened, isByRail ? finalRoles : inlandRoles, discharged ?? arrived);
  const reached = railIn ?? discharged ?? arrived;
  const isAfter = (event: TrackingEvent) => reached === undefined || eventTimeMs(event) >= eventTimeMs(reached);
  const fullOut = last(
    (event) =>
      (event.code === 'gate_out_full' || event.code === 'picked_up') &&
      collectionRoles.includes(event.legRole) &&
      (event.legRole !== 'unknown' || reached !== undefined) &&
      isAfter(event),
  );
  const out = fullOut ?? reached;
  const emptyIn = last(
    (event) =>
      event.code === 'gate_in_empty' &&
      (out === undefined ? !originRoles.includes(event.legRole) : eventTimeMs(event) >= eventTimeMs(out)),
  );
  const gone = happened
    .filter(({ code }) => code === 'out_for_delivery' || code === 'delivered' || code === 'gate_in_empty')
    .filter((event) => event.code !== 'gate_in_empty' || event === emptyIn)
    .filter(isAfter);
  const fullIn = last(
    (event) =>
      (event.code === 'gate_in_full' || event.code === 'received_from_shipper') &&
      (originRoles.includes(event.legRole) || (departed !== undefined && eventTimeMs(event) <= eventTimeMs(departed))),
  );
  const milestones = {
    ...timed(
      'emptyOut',
      last(({ code }) => code === 'gate_out_empty'),
    ),
    ...timed('fullIn', fullIn),
    ...timed('loaded', of(isByRail ? ['rail_loaded'] : ['loaded'], ['pol'])),
    ...timed('departed', departed),
    ...timed('arrived', arrived),
    ...timed('discharged', discharged),
    ...timed('fullOut', fullOut),
    ...timed('emptyIn', emptyIn),
  };
  return {
    milestones,
    ...timed('railIn', railIn),
    ...(isByRail || discharged === undefined ? {} : timed('railOut', leavingOf(happened, discharged, railIn))),
    ...(fullOut === undefined ? timed('goneBy', earliest(gone)) : {}),
    place: (discharged ?? arrived ?? (railIn === undefined ? fullOut : undefined))?.location ?? null,
    ramp: railIn?.location ?? null,
  };
}

/** The last arrival by rail from which nothing has departed. An unloading says more than the train's arrival. */
function lastRamp(
  happened: readonly TrackingEvent[],
  roles: readonly LegRole[],
  reached: TrackingEvent | undefined,
): TrackingEvent | undefined {
  const since = reached === undefined ? Number.NEGATIVE_INFINITY : eventTimeMs(reached);
  const rail = happened.filter((event) => event.code.startsWith('rail_') && eventTimeMs(event) >= since);
  const outMs = Math.max(
    ...rail.filter(({ code }) => code === 'rail_loaded' || code === 'rail_departed').map(eventTimeMs),
    Number.NEGATIVE_INFINITY,
  );
  const inbound = rail.filter((event) => roles.includes(event.legRole) && eventTimeMs(event) > outMs).sort(compareSeen);
  return (
    inbound.findLast(({ code }) => code === 'rail_unloaded') ?? inbound.findLast(({ code }) => code === 'rail_arrived')
  );
}

/** How it left the terminal of discharge, if that was by rail or on the way to a ramp. */
function leavingOf(
  happened: readonly TrackingEvent[],
  discharged: TrackingEvent,
  railIn: TrackingEvent | undefined,
): TrackingEvent | undefined {
  const leaving = happened.filter(
    (event) =>
      eventTimeMs(event) >= eventTimeMs(discharged) &&
      (event.code === 'rail_loaded' ||
        event.code === 'rail_departed' ||
        (event.code === 'gate_out_full' && railIn !== undefined && eventTimeMs(event) < eventTimeMs(railIn))),
  );
  return earliest(leaving);
}

function earliest(events: readonly TrackingEvent[]): TrackingEvent | undefined {
  return [...events].sort((left, right) => eventTimeMs(left) - eventTimeMs(right) || compareSeen(left, right))[0];
}

function timed<Name extends string>(name: Name, event: TrackingEvent | undefined): { [name in Name]?: EventTime } {
  if (event === undefined) return {};
  return { [name]: { time: event.time, eventId: event.id } } as { [name in Name]: EventTime };
}
