import { findEta } from '../shipments/find-eta.ts';
import type { Journey, PromisedTimes } from '../shipments/shipment.ts';
import type { TransportMode } from '../shipments/transport-mode.ts';
import type { CarrierTime } from '../tracking/event.ts';
import { delayHoursOf } from '../tracking/promised-times.ts';
import { bareDelivery, nothingStated, punctualityOf } from './delivery.ts';

type SomeJourney = Pick<Journey, 'status' | 'arrival' | 'delivery' | 'eta'> &
  Partial<Omit<Journey, 'latestEvent'>> & { latestEvent: object | null };

type FormerTimes = Partial<PromisedTimes>;

/**
 * A journey of an earlier release in its present form, until it is composed again: what that release did not read is
 * unknown. Others are returned as they are.
 */
export function completeJourney<Stored extends SomeJourney>(journey: Stored, mode: TransportMode): Stored {
  const complete = isComplete(journey)
    ? journey
    : withDelivery(journey.eta === undefined ? withPromises(journey) : journey, mode);
  // Before free time was read.
  return complete.freeTime === undefined ? { ...complete, freeTime: null } : complete;
}

/** Whether the journey has all that is known of its delivery. */
export function isComplete({ delivery }: Pick<SomeJourney, 'delivery'>): boolean {
  return delivery.attempts !== undefined;
}

/** Before parcels had more than times. */
function withDelivery<Stored extends SomeJourney>(journey: Stored, mode: TransportMode): Stored {
  const { status, delivery, exceptions } = journey;
  return {
    ...nothingStated,
    ...journey,
    delivery: { ...bareDelivery(delivery), onTime: punctualityOf(delivery, { mode, status, promised: null }) },
    ...(exceptions && {
      exceptions: exceptions.map((exception) => ({ ...exception, container: null, piece: null })),
    }),
  };
}

/**
 * Before promises, ETA and delays had their present form. The first promise is the first estimate, otherwise the plan.
 */
function withPromises<Stored extends SomeJourney>(journey: Stored): Stored {
  const former: SomeJourney = journey;
  const times = { arrival: completeTimes(former.arrival), delivery: completeTimes(former.delivery) };
  const eta = findEta(times);
  const { delayHours, delayBasis } = eta?.kind === 'delivery' ? times.delivery : times.arrival;
  return {
    ...journey,
    ...times,
    eta,
    delayHours,
    delayBasis,
    ...(former.etaHistory && { etaHistory: former.etaHistory.map((entry) => ({ ...entry, kind: 'arrival' })) }),
    ...(former.legs && { legs: former.legs.map((leg) => ({ ...leg, delayHours: null, delayBasis: null })) }),
    ...(former.events && { events: former.events.map((event) => ({ ...event, fulfilledBy: null })) }),
    latestEvent: former.latestEvent && { ...former.latestEvent, fulfilledBy: null },
  };
}

function completeTimes(times: FormerTimes): PromisedTimes {
  const { planned = null, estimated = null, actual = null, originalEstimated = null } = times;
  const promised: CarrierTime | null = originalEstimated ?? planned ?? estimated;
  return {
    planned,
    estimated,
    actual,
    originalEstimated,
    source: estimated === null && planned === null ? null : 'carrier',
    promised,
    delayBasis: promised && (promised === planned ? 'planned' : 'first_estimated'),
    delayHours: delayHoursOf(promised, actual ?? estimated ?? planned),
  };
}
