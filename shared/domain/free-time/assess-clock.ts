import type { CarrierTime } from '../events/event.ts';
import { countryOf } from '../events/event-place.ts';
import type { ClockKind } from '../events/stated-free-time.ts';
import {
  type CalendarBasis,
  type Clock,
  type ClockState,
  type ClockStop,
  type Cost,
  calendarBases,
  type FreeDaySource,
  type FreeTimePlace,
  type StoredClock,
} from '../record/free-time.ts';
import {
  addDays,
  type CountsDay,
  chargedDaysOf,
  costOf,
  daysBetween,
  lastFreeDayOf,
  maxLateDays,
} from './count-days.ts';
import type { TermStart } from './match-terms.ts';
import { dayAt, dayOfEvent, startOfDay, type TerminalZone } from './terminal-day.ts';
import type { FreeTimeRules, FreeTimeTerm } from './terms.ts';

/** Last free days by who states them. */
export type DaysBySource = { [source in FreeDaySource]: string | null };

export type ClockSubject = {
  kind: ClockKind;
  /** The terms that apply. Null: none. */
  term: FreeTimeTerm | null;
  start: TermStart | null;
  stop: { name: ClockStop; time: CarrierTime } | null;
  /** It has started, or may have, and nobody reported when. */
  isStartUnreported: boolean;
  place: FreeTimePlace;
  zone: TerminalZone;
  stated: Omit<DaysBySource, 'calculated'>;
  /** The event that stated the day of terminal or line. */
  statedBy: { [by in 'terminal' | 'line']: string | null };
};

export type AssessedClock = {
  clock: Clock;
  days: DaysBySource & { effective: string | null; source: FreeDaySource | null };
  /** When it changes again by time alone, ms since the epoch. Infinite: never. */
  nextMs: number;
  /** The event that an exception of this clock is based on. */
  basis: string | null;
  zone: TerminalZone;
  /** Source of its times. */
  times: Pick<StoredClock, 'start' | 'stop'>;
};

const sources: readonly FreeDaySource[] = ['manual', 'terminal', 'line', 'calculated'];
const termsSourceOf = { manual: 'manual', terminal: 'carrier', line: 'carrier', calculated: 'account' } as const;
/** States in which days pass. */
const passing: readonly ClockState[] = ['running', 'expiring', 'over'];

/** One clock at one time. */
export function assessClock(
  subject: ClockSubject,
  rules: Pick<FreeTimeRules, 'isWorkingDay' | 'calendarBasis' | 'nearDays'>,
  { nowMs, isTrackingEnded }: { nowMs: number; isTrackingEnded: boolean },
): AssessedClock {
  const { kind, term, start, stop, zone, stated } = subject;
  const working = workingDaysOf(subject, rules);
  const calculated = term && start && calculate(start.day, term, working);
  const days: DaysBySource = { ...stated, calculated };
  const source = sources.find((one) => days[one] !== null) ?? null;
  const effective = source && days[source];
  const until = stop === null ? dayAt(nowMs, zone) : dayOfEvent(stop.time, zone);
  const left = effective === null ? null : daysBetween(until, effective);
  const state = stateOf(subject, left, rules.nearDays);
  const isPassing = passing.includes(state);
  const clock: Clock = {
    kind,
    state,
    startedAt: start?.event.time ?? null,
    startEventId: start?.event.eventId ?? null,
    stoppedAt: stop?.time ?? null,
    freeDays: term?.freeDays ?? null,
    counting: term?.counting ?? null,
    lastFreeDay: effective,
    daysLeft: isPassing ? left : null,
    cost: effective === null ? null : costSoFar(subject, { effective, until, working }, isTrackingEnded),
    termsSource: source && termsSourceOf[source],
    calendar: source === 'calculated' && start && effective ? calendarOf(subject, rules, [start.day, effective]) : null,
  };
  const statedBy = source === 'terminal' || source === 'line' ? subject.statedBy[source] : null;
  return {
    clock,
    days: { ...days, effective, source },
    nextMs: isTrackingEnded ? Number.POSITIVE_INFINITY : nextChange(clock, { until, zone, nearDays: rules.nearDays }),
    basis: start?.event.eventId ?? statedBy,
    zone,
    times: { ...(start && { start: start.name }), ...(stop && { stop: stop.name }) },
  };
}

/** Without a reported start, a stated day that is near counts all the same. */
function stateOf({ start, stop, isStartUnreported }: ClockSubject, left: number | null, nearDays: number): ClockState {
  if (stop !== null) return 'stopped';
  if (left === null) return start !== null || isStartUnreported ? 'unknown_terms' : 'not_started';
  if (left < 0) return 'over';
  if (left <= nearDays) return 'expiring';
  return start !== null || isStartUnreported ? 'running' : 'not_started';
}

/** Null: nobody knows whose weekends and public holidays count. */
function workingDaysOf(
  { term, place }: ClockSubject,
  { isWorkingDay }: Pick<FreeTimeRules, 'isWorkingDay'>,
): CountsDay | null {
  const country = calendarCountryOf(term, place);
  return country === null ? null : (day) => isWorkingDay(country, day);
}

function calendarCountryOf(term: FreeTimeTerm | null, place: FreeTimePlace): string | null {
  return term && (term.calendarCountry ?? term.country ?? term.place?.slice(0, 2) ?? countryOf(place));
}

/** The least sure calendar of the years of these days. Null: every day counts. */
function calendarOf(
  { term, place }: ClockSubject,
  { calendarBasis }: Pick<FreeTimeRules, 'calendarBasis'>,
  days: readonly string[],
): CalendarBasis | null {
  const country = calendarCountryOf(term, place);
  if (term?.counting !== 'working' || country === null || calendarBasis === undefined) return null;
  const bases = days.map((day) => calendarBasis(country, day.slice(0, 4)));
  return calendarBases.findLast((basis) => bases.includes(basis)) ?? null;
}

const everyDay: CountsDay = () => true;

function calculate(startDay: string, term: FreeTimeTerm, working: CountsDay | null): string | null {
  const counts = term.counting === 'calendar' ? everyDay : working;
  return counts && lastFreeDayOf(startDay, term, counts);
}

function costSoFar(
  { term, stop }: ClockSubject,
  { effective, until, working }: { effective: string; until: string; working: CountsDay | null },
  isTrackingEnded: boolean,
): Cost | null {
  const isKnown = term !== null && (term.chargedDays === 'calendar' || working !== null);
  const isEndKnown = stop?.name !== 'goneBy' && stop?.name !== 'railIn';
  if (!isKnown || !isEndKnown || until <= effective) return null;
  const isCut = daysBetween(effective, until) > maxLateDays;
  const counted = isCut ? addDays(effective, maxLateDays) : until;
  const cost = costOf(chargedDaysOf(effective, counted, term.chargedDays === 'calendar' ? null : working), term);
  return cost && { ...cost, isFloor: isCut || (stop === null && isTrackingEnded) };
}

/** The next midnight that changes the days left; before the start, the one on which a stated day is near. */
function nextChange(
  { state, lastFreeDay }: Clock,
  { until, zone, nearDays }: { until: string; zone: TerminalZone; nearDays: number },
): number {
  if (passing.includes(state)) return startOfDay(addDays(until, 1), zone);
  return state === 'not_started' && lastFreeDay !== null
    ? startOfDay(addDays(lastFreeDay, -nearDays), zone)
    : Number.POSITIVE_INFINITY;
}
