import { compareExceptions } from '../record/exceptions.ts';
import type { StoredClock, StoredFreeTime } from '../record/free-time.ts';
import type { ContainerState, Journey } from '../record/shipment.ts';
import type { AssessedClock } from './assess-clock.ts';
import { assessedAt, clocksOfContainer, type FreeTimeInput } from './container-clocks.ts';
import { clockException, withClockExceptions } from './free-time-exceptions.ts';
import { summarizeFreeTime } from './summarize-free-time.ts';

/** The part of a journey that free time is read from and written to. */
export type AssessableJourney = Pick<
  Journey,
  'containers' | 'destination' | 'exceptions' | 'freeDayNotices' | 'hasException' | 'freeTime'
>;

/**
 * The free time of an ocean or rail shipment at a time, from what its events say: terms and time may have changed since
 * it was composed. Pure: the same journey, terms and time give the same result, however often it was assessed before.
 */
export function assessFreeTime<Assessed extends AssessableJourney>(
  journey: Assessed,
  input: FreeTimeInput,
  nowMs: number,
): Assessed {
  const at = assessedAt(input, nowMs);
  const assessed = journey.containers.map((container) => ({
    container,
    clocks: clocksOfContainer(container, journey.destination, at),
  }));
  const found = assessed.flatMap(({ container: { number }, clocks }) =>
    clocks.flatMap((clock) => clockException(number, clock, input.rules.nearDays) ?? []),
  );
  const { exceptions, notices } = withClockExceptions(journey, found);
  const { freeDayNotices: _former, ...rest } = journey;
  return {
    ...(rest as Assessed),
    containers: assessed.map(({ container, clocks }) => withClocks(container, clocks)),
    exceptions: exceptions.sort(compareExceptions),
    hasException: exceptions.some(({ resolvedAt }) => resolvedAt === null),
    freeTime: summarizeFreeTime(assessed.map(({ container, clocks }) => ({ number: container.number, clocks }))),
    ...(notices.length > 0 && { freeDayNotices: notices }),
  };
}

/** Leaves out a part that states only that nothing is known. */
function withClocks({ freeTime, ...container }: ContainerState, assessed: readonly AssessedClock[]): ContainerState {
  const clocks = assessed.map(storeClock);
  // Of two clocks of demurrage, the second is that of the terminal where it is now.
  const days = assessed.findLast(({ clock }) => clock.kind !== 'detention')?.days;
  const lastFreeDay = days && withoutNulls(days);
  const stored: StoredFreeTime = {
    ...(freeTime?.facts && { facts: freeTime.facts }),
    ...(clocks.length === 2 && clocks.every(isBare) ? {} : { clocks }),
    ...(lastFreeDay && Object.keys(lastFreeDay).length > 0 && { lastFreeDay }),
  };
  return Object.keys(stored).length === 0 ? container : { ...container, freeTime: stored };
}

function storeClock({ clock, times }: AssessedClock): StoredClock {
  const { kind, state, startedAt: _start, startEventId: _event, stoppedAt: _stop, ...rest } = clock;
  return { kind, state, ...withoutNulls(rest), ...times };
}

function isBare({ kind: _, state, ...rest }: StoredClock): boolean {
  return state === 'not_started' && Object.keys(rest).length === 0;
}

function withoutNulls<Values extends object>(values: Values): { [name in keyof Values]?: NonNullable<Values[name]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as typeof values & object;
}
