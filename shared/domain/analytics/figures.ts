import type { TransportMode } from '../events/transport-mode.ts';
import type { FreeTimeOutcome } from './free-time-outcome.ts';

/** The grouping of arrivals. `lane`: by codes. `country_lane`: by countries. */
export const arrivalDimensions = ['carrier', 'lane', 'country_lane', 'transport_mode'] as const;
export type ArrivalDimension = (typeof arrivalDimensions)[number];

/** ISO weeks `2026-W16`, months `2026-04`. */
export const trendPeriods = ['week', 'month'] as const;
export type TrendPeriod = (typeof trendPeriods)[number];

/** Groups of one answer. */
export const maxFigureGroups = 100;

/** The longest period, in days: three years. */
export const maxFigureDays = 1096;

/** Scope of the figures. Days, both included: of arrivals at their places, of registrations in UTC. */
export type FigureScope = {
  from: string;
  to: string;
  transportMode?: TransportMode[] | undefined;
  carrier?: string[] | undefined;
  /** In the form of `laneKey`. */
  lane?: string[] | undefined;
  countryLane?: string[] | undefined;
};

/** Percentiles with linear interpolation between the two nearest, as `percentile_cont` of SQL. Null: of nothing. */
export type Spread = { known: number; median: number | null; p90: number | null };

export type ArrivalFigures = {
  arrivals: number;
  early: number;
  onTime: number;
  late: number;
  /** Arrivals without a promise: part of `arrivals`, and not of the share. */
  unknown: number;
  /** Hours. */
  transit: Spread;
  /** Late arrivals by cause, most first. One with two causes counts for both. */
  delayCauses: { cause: string; arrivals: number }[];
  freeTime: Record<FreeTimeOutcome, number>;
};

/** One period of a trend. The first and the last one may be cut by the bounds. Days, both included. */
export type TrendPoint = { period: string; from: string; to: string; figures: ArrivalFigures };

export type ArrivalGroup = { key: string; figures: ArrivalFigures; trend: TrendPoint[] };

/** `asOf` (ISO UTC): everything that the feed had by then is counted. Null: nothing has been counted yet. */
export type KeptState = { asOf: string | null; isComplete: boolean };

export type ArrivalReport = KeptState & {
  total: ArrivalFigures;
  trend: TrendPoint[];
  /** Most arrivals first. Null: not asked for. */
  groups: ArrivalGroup[] | null;
  /** Arrivals in further groups. */
  other: number;
};

export type TrackingFigures = {
  /** Registered in the period. */
  registered: number;
  /** Minutes from the registration to the first event, of those that have one. */
  firstEvent: Spread;
  /** Open shipments that Landfall follows now, whenever they were registered, and those among them that … */
  tracked: number;
  /** … have current data, */
  current: number;
  /** … have outdated data, */
  stale: number;
  /** … never had any, */
  waiting: number;
  /** … are unknown to the carrier, */
  notFound: number;
  /** … can't be tracked. */
  failed: number;
};

export type TrackingReport = KeptState & {
  /** When the state of open shipments was measured, ISO UTC. Null: not yet. */
  measuredAt: string | null;
  total: TrackingFigures;
  /** By carrier, most registered or tracked first. */
  carriers: { carrier: string; figures: TrackingFigures }[];
};

export const noSpread: Spread = { known: 0, median: null, p90: null };

export const noArrivals: ArrivalFigures = {
  arrivals: 0,
  early: 0,
  onTime: 0,
  late: 0,
  unknown: 0,
  transit: noSpread,
  delayCauses: [],
  freeTime: { within: 0, exceeded: 0, open: 0, unknown: 0, none: 0 },
};

const dayMs = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The periods that a range of days touches, in order, with their days within the range. */
export function periodsOf({ from, to }: { from: string; to: string }, by: TrendPeriod): Omit<TrendPoint, 'figures'>[] {
  const found: Omit<TrendPoint, 'figures'>[] = [];
  for (let day = from; day <= to; ) {
    const last = by === 'week' ? endOfWeek(day) : endOfMonth(day);
    found.push({ period: by === 'week' ? weekOf(day) : day.slice(0, 7), from: day, to: last < to ? last : to });
    day = dayOf(msOf(last) + dayMs);
  }
  return found;
}

/** Sunday. */
function endOfWeek(day: string): string {
  const weekday = new Date(msOf(day)).getUTCDay();
  return dayOf(msOf(day) + ((7 - weekday) % 7) * dayMs);
}

function endOfMonth(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return dayOf(Date.UTC(year, month, 0));
}

/** The ISO 8601 week of a day: that of its Thursday. */
export function weekOf(day: string): string {
  const thursdayMs = msOf(endOfWeek(day)) - 3 * dayMs;
  const year = new Date(thursdayMs).getUTCFullYear();
  const week = Math.floor((thursdayMs - Date.UTC(year, 0, 1)) / (7 * dayMs)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}
