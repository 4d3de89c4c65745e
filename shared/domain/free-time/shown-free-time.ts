import type { ClockKind } from '../events/stated-free-time.ts';
import {
  type Clock,
  type ContainerFreeTime,
  type FreeTimeFacts,
  type LastFreeDay,
  type Milestones,
  milestoneNames,
  type StoredClock,
} from '../record/free-time.ts';
import type { ContainerState } from '../record/shipment.ts';
import { startEvent, stopEvent } from './clock-events.ts';

const noDay: LastFreeDay = {
  effective: null,
  source: null,
  line: null,
  terminal: null,
  calculated: null,
  manual: null,
};

const bareClocks: readonly StoredClock[] = [
  { kind: 'demurrage', state: 'not_started' },
  { kind: 'detention', state: 'not_started' },
];

/** The free time of a container in full: what is not stored is unknown, and its clocks have not started. */
export function shownFreeTime({ freeTime = {} }: Pick<ContainerState, 'freeTime'>): ContainerFreeTime {
  const { facts = {}, clocks = bareClocks, lastFreeDay } = freeTime;
  const { milestones = {}, availability, holds = [], fees = [] } = facts;
  return {
    availability:
      availability === undefined
        ? { known: false, available: null, since: null }
        : { known: true, available: availability.available, since: availability.since },
    holds,
    fees,
    milestones: Object.fromEntries(milestoneNames.map((name) => [name, milestones[name]?.time ?? null])) as Milestones,
    lastFreeDay: { ...noDay, ...lastFreeDay },
    clocks: clocks.map((clock) => shownClock(clock, facts)),
  };
}

function shownClock({ start, stop, ...clock }: StoredClock, facts: FreeTimeFacts): Clock {
  const started = start === undefined ? null : startEvent(start, facts);
  return {
    ...bareClock(clock.kind),
    ...clock,
    startedAt: started?.time ?? null,
    startEventId: started?.eventId ?? null,
    stoppedAt: (stop === undefined ? null : stopEvent(stop, facts)?.time) ?? null,
  };
}

/** A clock of which nothing is known. */
function bareClock(kind: ClockKind): Clock {
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
    calendar: null,
  };
}
