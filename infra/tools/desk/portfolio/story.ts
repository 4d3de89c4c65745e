import type { EventCode, ReadEvent, Vehicle } from '#shared/domain/events/event.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type {
  ExceptionCode,
  FetchResult,
  Registration,
  Status,
  TrackingState,
} from '#shared/domain/record/shipment.ts';
import { isoAt } from './moments.ts';
import { type PlaceCode, placeOf } from './places.ts';

/**
 * The true state of a shipment, written by the author of its story. Times are hours from now. A null `eta` means that
 * it has arrived, or that no estimate exists.
 */
export type Truth = {
  status: Status;
  eta: number | null;
  /** The ETA as rows show it, kept after the arrival. */
  shownEta: number | null;
  /** The delay against the first promise; null without one. */
  delay: number | null;
  /** The open ones. */
  exceptions: ExceptionCode[];
  origin: PlaceCode | null;
  destination: PlaceCode | null;
  delivered: number | null;
  lastEvent: { code: EventCode; hour: number } | null;
  vessels: string[];
  departed: number | null;
  /** Terminal at which it is, or will be, ashore. */
  terminal: string | null;
  /** Last free day as the terminal states it, `2026-04-15`. */
  lastFreeDay: string | null;
  /** In the order of their numbers. */
  boxes: { number: string; status: Status; last: EventCode }[];
};

/** One shipment: its registration, the carrier's readings, and what should therefore be known. */
export type Story = {
  /** Unique in its account. */
  name: string;
  registration: Partial<Registration> & Pick<Registration, 'transportMode' | 'carrier' | 'identifiers'>;
  refreshes: FetchResult[];
  truth: Truth;
  trackingState: TrackingState;
  /** Hours since the last successful refresh, if that is too long ago. */
  staleFor: number | null;
  /** Hours since the record changed. */
  changedFor: number;
  isArchived: boolean;
};

export type Step = {
  code: EventCode;
  /** From now. */
  hour: number;
  /** Default: future events are estimates, past ones have happened. */
  classifier?: 'estimated';
  at: PlaceCode;
  mode: TransportMode;
  container?: string | undefined;
  vehicle?: Vehicle;
  description?: string;
  facility?: string | undefined;
  freeDay?: string | undefined;
  /** When the carrier reported it. */
  reportedAt?: number;
};

export function readStep({
  code,
  hour,
  classifier,
  at,
  mode,
  container,
  vehicle,
  description,
  reportedAt,
  facility,
  freeDay,
}: Step): ReadEvent {
  const time = isoAt(hour);
  return {
    code,
    classifier: classifier ?? (hour > 0 ? 'estimated' : 'actual'),
    legRole: 'unknown',
    time: { at: time, local: time.slice(0, 16), timezone: 'UTC', zoneSource: 'carrier', precision: 'minute' },
    location: { ...placeOf(at), facility: facility ?? null },
    container: container ?? null,
    isoType: container === undefined ? null : '45G1',
    mode,
    vehicle: vehicle ?? null,
    empty: code === 'gate_in_empty',
    seals: [],
    delayReason: null,
    document: null,
    description: description ?? null,
    carrierCode: null,
    carrierDescription: null,
    sourceEventId: null,
    sourceCreatedAt: reportedAt === undefined ? null : isoAt(reportedAt),
    source: 'carrier',
    ...(freeDay === undefined ? {} : { details: { freeDays: [{ by: 'terminal', kind: 'demurrage', day: freeDay }] } }),
    raw: { code, hour },
  };
}

export function foundSteps(steps: readonly Step[]): FetchResult {
  const reading = { events: steps.map(readStep), unreadable: [], source: 'simulator:portfolio' };
  return { outcome: 'found', reading, httpStatus: 200, durationMs: 12 };
}

/** The latest event that happened; of two at the same time, the later in the list. */
export function lastOf(steps: readonly Step[]): Truth['lastEvent'] {
  const happened = steps.filter((step) => step.hour <= 0).toSorted((left, right) => left.hour - right.hour);
  const last = happened.at(-1);
  return last === undefined ? null : { code: last.code, hour: last.hour };
}

export const carrierDown: FetchResult = {
  outcome: 'error',
  httpStatus: 503,
  durationMs: 31,
  reason: 'carrier_unreachable',
  permanent: false,
  retryAfterMs: null,
  detail: '503',
  source: 'simulator:portfolio',
};

export const carrierRefuses: FetchResult = {
  ...carrierDown,
  httpStatus: 400,
  reason: 'invalid_identifier',
  permanent: true,
  detail: '400',
};

export const notKnownYet: FetchResult = {
  outcome: 'not_found',
  httpStatus: 404,
  durationMs: 5,
  reason: 'carrier_not_found_yet',
  source: 'simulator:portfolio',
};

export const nothingKnown: Truth = {
  status: 'pending',
  eta: null,
  shownEta: null,
  delay: null,
  exceptions: [],
  origin: null,
  destination: null,
  delivered: null,
  lastEvent: null,
  vessels: [],
  departed: null,
  terminal: null,
  lastFreeDay: null,
  boxes: [],
};
