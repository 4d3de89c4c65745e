import type { CarrierTime } from '../tracking/event.ts';

export const holdTypes = ['customs', 'freight', 'terminal', 'agriculture', 'exam', 'line', 'other'] as const;
export type HoldType = (typeof holdTypes)[number];

export const holdStatuses = ['active', 'pending', 'released'] as const;
export type HoldStatus = (typeof holdStatuses)[number];

/** A hold as one event states it. Absent detail: the source gives no reason. */
export type StatedHold = { type: HoldType; status: HoldStatus; detail?: string };

/** A fee as one event states it. `amount` in units of `currency` (ISO 4217), `type` in the source's words. */
export type StatedFee = { type: string; amount: number; currency: string };

/** What the clock of a last free day measures. */
export const clockKinds = ['demurrage', 'detention', 'combined'] as const;
export type ClockKind = (typeof clockKinds)[number];

/** Who states a last free day. */
export const freeDayAuthorities = ['line', 'terminal'] as const;

/** A last free day as one event states it: a calendar day at the terminal, `2026-04-15`. */
export type StatedFreeDay = { by: (typeof freeDayAuthorities)[number]; kind: ClockKind; day: string };

/** A last free day that a client set by hand. It overrides every other source. */
export type ManualFreeDay = { container: string; kind: ClockKind; day: string };

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
 * moved on. `unknown_terms`: the clock runs and nothing says how long it is free, so the risk is unknown.
 */
export type ClockState = (typeof clockStates)[number];

export const freeDaySources = ['manual', 'terminal', 'line', 'calculated'] as const;
export type FreeDaySource = (typeof freeDaySources)[number];

export const termsSources = ['account', 'carrier', 'manual'] as const;

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
  /** Where the effective last free day comes from. Null: nowhere. */
  termsSource: (typeof termsSources)[number] | null;
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

/** Everything about the free time of one container. */
export type ContainerFreeTime = {
  availability: Availability;
  holds: Hold[];
  fees: Fee[];
  milestones: Milestones;
  lastFreeDay: LastFreeDay;
  clocks: Clock[];
};

/**
 * The free time of a whole shipment: what lists show, sort and filter by. Only clocks that are neither stopped nor
 * without a start count.
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
  /** When days, states or costs change again by time alone (ISO UTC). Null: never. */
  nextAssessmentAt: string | null;
};
