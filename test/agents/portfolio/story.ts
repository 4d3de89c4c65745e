import type {
  ExceptionCode,
  FetchResult,
  Registration,
  Status,
  TrackingState,
} from '#shared/domain/shipments/shipment.ts';
import type { TransportMode } from '#shared/domain/shipments/transport-mode.ts';
import type { EventCode, ReadEvent, Vehicle } from '#shared/domain/tracking/event.ts';
import { isoAt } from './moments.ts';
import { type PlaceCode, placeOf } from './places.ts';

/** What is true of a shipment, said by whoever made up its story. Times are hours from now; `eta` null: has arrived, or nobody said. */
export type Truth = {
  status: Status;
  eta: number | null;
  /** By how much it is later than first expected; null when nothing was expected. */
  delay: number | null;
  /** The open ones. */
  exceptions: ExceptionCode[];
  origin: PlaceCode | null;
  destination: PlaceCode | null;
  delivered: number | null;
  lastEvent: { code: EventCode; hour: number } | null;
  vessels: string[];
};

/** One shipment: how it is registered, what the carrier answered and what should therefore be known. */
export type Story = {
  /** Unique in its account. */
  name: string;
  registration: Partial<Registration> & Pick<Registration, 'transportMode' | 'carrier' | 'identifiers'>;
  refreshes: FetchResult[];
  truth: Truth;
  trackingState: TrackingState;
  /** Hours since the last good refresh, when that is too long ago. */
  staleFor: number | null;
  /** Hours since the record changed. */
  changedFor: number;
};

export type Step = {
  code: EventCode;
  /** From now. */
  hour: number;
  /** Absent: what lies ahead is an estimate, what lies behind has happened. */
  classifier?: 'estimated';
  at: PlaceCode;
  mode: TransportMode;
  container?: string | undefined;
  vehicle?: Vehicle;
  description?: string;
  /** When the carrier said so. */
  saidAt?: number;
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
  saidAt,
}: Step): ReadEvent {
  const time = isoAt(hour);
  return {
    code,
    classifier: classifier ?? (hour > 0 ? 'estimated' : 'actual'),
    legRole: 'unknown',
    time: { at: time, local: time.slice(0, 16), timezone: 'UTC', zoneSource: 'carrier', precision: 'minute' },
    location: placeOf(at),
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
    sourceCreatedAt: saidAt === undefined ? null : isoAt(saidAt),
    source: 'carrier',
    raw: { code, hour },
  };
}

export function foundSteps(steps: readonly Step[]): FetchResult {
  const reading = { events: steps.map(readStep), rejected: [], source: 'simulator:portfolio' };
  return { outcome: 'found', reading, httpStatus: 200, durationMs: 12 };
}

/** The newest that happened; of two at one moment the later in the list. */
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
  delay: null,
  exceptions: [],
  origin: null,
  destination: null,
  delivered: null,
  lastEvent: null,
  vessels: [],
};
