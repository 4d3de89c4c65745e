import type { CarrierTime, Place } from '../events/event.ts';
import type { ClockKind, HoldStatus, HoldType, StatedFee, StatedFreeDay } from '../events/stated-free-time.ts';

/** A hold of a container: the latest statement of its type. `since` is ISO UTC, `source` that of the event. */
export type Hold = {
  type: HoldType;
  status: HoldStatus;
  detail: string | null;
  source: string;
  since: string;
};

/** A fee of a container: the latest statement of its type and currency. */
export type Fee = StatedFee & { source: string };

/** `known` false: nobody has said whether the container can be collected; `available` is then null. */
export type Availability = { known: boolean; available: boolean | null; since: CarrierTime | null };

export const milestoneNames = [
  'emptyOut',
  'fullIn',
  'loaded',
  'departed',
  'arrived',
  'discharged',
  'available',
  'fullOut',
  'emptyIn',
] as const;
export type MilestoneName = (typeof milestoneNames)[number];
/** The actual times of what decides about free time. Null: it has not happened. */
export type Milestones = Record<MilestoneName, CarrierTime | null>;

export const clockStates = ['not_started', 'running', 'expiring', 'over', 'stopped', 'unknown_terms'] as const;
/**
 * `expiring`: the last free day is near. `over`: it has passed and each further day may cost. `stopped`: the container
 * moved on. `unknown_terms`: the clock runs, or may run, and its last free day is unknown: the risk is unknown.
 */
export type ClockState = (typeof clockStates)[number];

/** Actual events that start a clock. A clock of detention always starts with `gate_out_full`. */
export const clockStarts = ['discharged', 'available_for_pickup', 'arrived', 'rail_unloaded', 'gate_out_full'] as const;
export type ClockStart = (typeof clockStarts)[number];

export const freeDaySources = ['manual', 'terminal', 'line', 'calculated'] as const;
export type FreeDaySource = (typeof freeDaySources)[number];

export const termsSources = ['account', 'carrier', 'manual'] as const;

export const calendarBases = ['checked', 'provisional', 'unchecked'] as const;
/**
 * Certainty of the days off of a country's year. `checked`: by law or a published list, and compared with a second source.
 * `provisional`: some are not published yet, or depend on the moon. `unchecked`: by a holiday package alone.
 */
export type CalendarBasis = (typeof calendarBases)[number];

/** `isFloor`: it is at least this much; more is possible, because a rate or the end is not known. */
export type Cost = { amount: number; currency: string; isFloor: boolean };

/** One clock of one container. Days are calendar days at the terminal, `2026-04-15`. */
export type Clock = {
  kind: ClockKind;
  state: ClockState;
  startedAt: CarrierTime | null;
  startEventId: string | null;
  stoppedAt: CarrierTime | null;
  /** Null: no terms apply. */
  freeDays: number | null;
  counting: 'calendar' | 'working' | null;
  lastFreeDay: string | null;
  /** Whole calendar days until the last free day; 0 on the day itself, negative after it. Null unless it runs. */
  daysLeft: number | null;
  /** Null: the rates are not known, or nothing is owed under known rates before the last free day has passed. */
  cost: Cost | null;
  /** Source of the effective last free day. Null: there is none. */
  termsSource: (typeof termsSources)[number] | null;
  /** Certainty of the days off with which the last free day was counted. Null: none were. */
  calendar: CalendarBasis | null;
};

/** The last free days of a container's collection (demurrage, or combined) by source. */
export type LastFreeDay = {
  effective: string | null;
  source: FreeDaySource | null;
  line: string | null;
  terminal: string | null;
  calculated: string | null;
  manual: string | null;
};

/** Everything about the free time of one container, as clients see it: `shownFreeTime` fills what is not stored. */
export type ContainerFreeTime = {
  availability: Availability;
  holds: Hold[];
  fees: Fee[];
  milestones: Milestones;
  lastFreeDay: LastFreeDay;
  clocks: Clock[];
};

/** The time of an event, and its id. Absent: the event starts no clock. */
export type EventTime = { time: CarrierTime; eventId?: string };

/** The place whose terms, calendar and midnight count. */
export type FreeTimePlace = Pick<Place, 'unlocode' | 'country' | 'timezone'>;

/**
 * Free-time facts from the events of one container: the part that neither terms nor the present time change. An absent
 * field is unknown, so that a container without facts takes no room in the store.
 */
export type FreeTimeFacts = {
  milestones?: Partial<Record<MilestoneName, EventTime>>;
  /** When it first was available without an active hold. Absent: with the milestone `available`. Null: not yet. */
  collectable?: EventTime | null;
  /** When it reached the last ramp of its rail carriage. */
  railIn?: EventTime;
  /** When it left the terminal of discharge for that carriage. */
  railOut?: EventTime;
  /** The first event that shows it away from the terminal, where its collection was not reported. */
  goneBy?: EventTime;
  /** Place of discharge. Absent: the destination of the journey. */
  place?: FreeTimePlace;
  /** Place of `railIn`. Absent: the destination of the journey. */
  ramp?: FreeTimePlace;
  availability?: Pick<Availability, 'available' | 'since'>;
  holds?: Hold[];
  fees?: Fee[];
  /** The latest statement by authority and kind. */
  freeDays?: StatedDay[];
};

/** `ofPort`: it is about the terminal of discharge, which the container has left by rail since. */
export type StatedDay = StatedFreeDay & { eventId: string; ofPort?: true };

/** Events that stop a clock. With `railIn` and `goneBy` it stopped then at the latest. */
export type ClockStop = 'fullOut' | 'emptyIn' | 'railOut' | 'railIn' | 'goneBy';

/** A clock as it is stored: what is absent is null, and its times are those of facts. */
export type StoredClock = Pick<Clock, 'kind' | 'state'> &
  Partial<Omit<Clock, 'startedAt' | 'startEventId' | 'stoppedAt'>> & { start?: ClockStart; stop?: ClockStop };

/** Stored free time of a container. Absent clocks: two that have not started. */
export type StoredFreeTime = { facts?: FreeTimeFacts; clocks?: StoredClock[]; lastFreeDay?: Partial<LastFreeDay> };

/** A container whose clock costs or may soon. */
export type UrgentContainer = Pick<Clock, 'kind' | 'state' | 'lastFreeDay' | 'daysLeft' | 'cost'> & { number: string };

/** Urgent containers that a summary names. */
export const maxUrgentContainers = 10;

/**
 * The free time of a whole shipment: what lists show, sort and filter by. Only clocks that are neither stopped nor
 * without a start count, except in `states`, and in `costs`, where a stopped clock keeps its cost.
 */
export type FreeTimeSummary = {
  /** The most urgent: over, expiring, unknown_terms, running, not_started, stopped. */
  state: ClockState;
  /** Distinct states of all clocks, sorted. */
  states: ClockState[];
  /** The earliest last free day of its open clocks. */
  lastFreeDay: string | null;
  daysLeft: number | null;
  /** The sum by currency, sorted by it. */
  costs: Cost[];
  /** Containers whose risk cannot be assessed. */
  unknownTerms: number;
  /** The most urgent clock of each container that has an open one, at most `maxUrgentContainers`. */
  containers: UrgentContainer[];
  /** Number of the others. */
  more: number;
  /** When days, states or costs change again by time alone (ISO UTC). Null: never. */
  nextAssessmentAt: string | null;
};
