import type { CarrierTime } from '../tracking/event.ts';
import { delayHoursOf } from '../tracking/promised-times.ts';
import { bareDelivery } from './delivery.ts';
import { findEta } from './find-eta.ts';
import type { Journey, PromisedTimes } from './shipment.ts';

type SomeJourney = Pick<Journey, 'arrival' | 'delivery' | 'eta'> &
  Partial<Omit<Journey, 'latestEvent'>> & { latestEvent: object | null };

type FormerTimes = Partial<PromisedTimes>;

/**
 * A journey stored before promises, ETA and delays had their present form, in that form: its first promise is the first
 * estimate, otherwise the plan, until it is composed again. Others are returned as they are.
 */
export function completeJourney<Stored extends SomeJourney>(journey: Stored): Stored {
  if (journey.eta !== undefined) return journey;
  const former: SomeJourney = journey;
  const times = { arrival: completeTimes(former.arrival), delivery: bareDelivery(completeTimes(former.delivery)) };
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
