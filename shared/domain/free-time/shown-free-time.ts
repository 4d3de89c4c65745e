import type { ContainerState } from '../shipments/shipment.ts';
import { type Clock, type ContainerFreeTime, type LastFreeDay, type Milestones, milestoneNames } from './free-time.ts';
import type { ClockKind } from './stated.ts';

const noDay: LastFreeDay = {
  effective: null,
  source: null,
  line: null,
  terminal: null,
  calculated: null,
  manual: null,
};

/** The free time of a container in full: what is not stored is unknown, and its clocks have not started. */
export function shownFreeTime({ freeTime = {} }: Pick<ContainerState, 'freeTime'>): ContainerFreeTime {
  const { facts = {}, clocks = [bareClock('demurrage'), bareClock('detention')], lastFreeDay = noDay } = freeTime;
  const { milestones = {}, availability, holds = [], fees = [] } = facts;
  return {
    availability:
      availability === undefined
        ? { known: false, available: null, since: null }
        : { known: true, available: availability.available, since: availability.since },
    holds,
    fees,
    milestones: Object.fromEntries(milestoneNames.map((name) => [name, milestones[name]?.time ?? null])) as Milestones,
    lastFreeDay,
    clocks,
  };
}

/** A clock of which nothing is known. */
export function bareClock(kind: ClockKind): Clock {
  return {
    kind,
    state: 'not_started',
    startedAt: null,
    startEventId: null,
    stoppedAt: null,
    freeDays: null,
    counting: null,
    lastFreeDay: null,
    daysLeft: null,
    cost: null,
    termsSource: null,
  };
}
