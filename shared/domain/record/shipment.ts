import type {
  CarrierTime,
  Classifier,
  Dimensions,
  EventCode,
  LegRole,
  PickupPoint,
  Place,
  ProofKind,
  Reading,
  Service,
  StatedFacts,
  StatedRoute,
  TimeWindow,
  TrackingEvent,
  Vehicle,
} from '../events/event.ts';
import type { ClockKind, ManualFreeDay } from '../events/stated-free-time.ts';
import type { StatusDetail } from '../events/status-details.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import type { UnreadableEvent } from '../events/unreadable.ts';
import type { VehiclePosition } from '../positions/vehicle-position.ts';
import type { FreeTimeSummary, StoredFreeTime } from './free-time.ts';
import type { StatedFields } from './stated-fields.ts';

/** State of the cargo (an open enum on the wire). `TrackingState` describes how well it can be tracked. */
export const statuses = [
  'pending',
  'booked',
  'in_transit',
  'arrived',
  'available_for_pickup',
  'out_for_delivery',
  'delivered',
  'returned',
  'failed',
  'cancelled',
] as const;
export type Status = (typeof statuses)[number];

export const trackingStates = [
  'queued',
  'active',
  'awaiting_carrier',
  'degraded',
  'failed',
  'stopped',
  'completed',
] as const;
export type TrackingState = (typeof trackingStates)[number];

export const trackingReasons = [
  'awaiting_events',
  'carrier_not_found_yet',
  'not_found',
  'invalid_identifier',
  'wrong_identifier_type',
  'carrier_not_supported',
  'carrier_unreachable',
  'carrier_rate_limited',
  'carrier_auth_failed',
  'credentials_missing',
  'unrecognized_response',
  'partial_response',
  'booking_cancelled',
  'data_withheld',
  'no_updates_60d',
  'superseded_by_new_journey',
  'stopped_by_client',
  'internal_error',
] as const;
export type TrackingReason = (typeof trackingReasons)[number];

export const freshnesses = ['fresh', 'stale', 'never', 'final'] as const;
export type Freshness = (typeof freshnesses)[number];

/** All identifier keys of all modes. `identifier-rules.ts` says which mode takes which. */
export const identifierKeys = [
  'mbl',
  'booking',
  'container',
  'hbl',
  'awb',
  'hawb',
  'tracking_number',
  'pro',
  'bol',
  'equipment',
  'pickup_number',
  'po',
  'waybill',
  'railcar',
] as const;
export type IdentifierKey = (typeof identifierKeys)[number];
export type Identifiers = Partial<Record<IdentifierKey, string>>;

export type Warning = { code: string; field: string; detail: string; expected: string | null };

/** A valid registration. */
export type Registration = {
  transportMode: TransportMode;
  carrier: string;
  identifiers: Identifiers;
  serviceType: 'ltl' | 'ftl' | null;
} & StatedFields;

export const exceptionCodes = [
  'customs_hold',
  'carrier_hold',
  'terminal_hold',
  'freight_hold',
  'delivery_attempt_failed',
  'address_problem',
  'damaged',
  'delayed',
  'rolled',
  'misrouted',
  'weather',
  'last_free_day_near',
  'last_free_day_passed',
  'other',
] as const;
export type ExceptionCode = (typeof exceptionCodes)[number];

export type ShipmentException = {
  code: ExceptionCode;
  severity: 'info' | 'warning' | 'critical';
  message: string;
  openedAt: string;
  resolvedAt: string | null;
  /** Null: no event opened it. */
  eventId: string | null;
  /** Null: not about one container. */
  container: string | null;
  /** Tracking number of the piece. Null: not about one piece. */
  piece: string | null;
  /** The clock that opened it; internal. Absent: an event did. */
  clock?: ClockKind;
  /** The reason that the carrier stated, by `statedCause`; internal. Absent: it stated none. */
  cause?: string;
};

export type TimeTriple = { planned: CarrierTime | null; estimated: CarrierTime | null; actual: CarrierTime | null };

/** References that a delay is counted from: the plan, or the estimate that was received first. */
export const delayBases = ['planned', 'first_estimated'] as const;
export type DelayBasis = (typeof delayBases)[number];

export const etaKinds = ['arrival', 'delivery'] as const;
export const etaSources = ['carrier', 'client', 'predicted'] as const;
export type EtaSource = (typeof etaSources)[number];

/** When the cargo is expected: the value that lists sort and filter by. */
export type Eta = { time: CarrierTime; kind: (typeof etaKinds)[number]; source: EtaSource };

/** Times with the first promise, and the delay against it. `delayHours`: (actual, else expected) − promised. */
export type PromisedTimes = TimeTriple & {
  originalEstimated: CarrierTime | null;
  /** The plan or estimate that was received first. */
  promised: CarrierTime | null;
  delayBasis: DelayBasis | null;
  delayHours: number | null;
  /** Source of the estimate, otherwise of the plan. Null: neither is known. */
  source: EtaSource | null;
};

/** Comparison of the delivery with its first promise. `unknown`: nothing was promised, or nothing is expected. */
export const punctualities = ['early', 'on_time', 'late', 'unknown'] as const;
export type Punctuality = (typeof punctualities)[number];

/** A proof of delivery. `id` is stable within the shipment. `available`: the carrier can be asked for it. */
export type Proof = { id: string; kind: ProofKind; piece: string | null; available: boolean };

/** Everything about the delivery to the consignee. */
export type Delivery = PromisedTimes & {
  /** The window of the present estimate, otherwise of the plan. */
  window: TimeWindow | null;
  onTime: Punctuality;
  /** Failed attempts. */
  attempts: number;
  lastAttemptAt: CarrierTime | null;
  /** Null until all of it is delivered, like the following two. */
  receivedBy: string | null;
  leftAt: string | null;
  proof: Proof[];
};

/** A piece of a shipment that has several. */
export type PieceState = {
  trackingNumber: string;
  status: Status;
  statusDetail: StatusDetail | null;
  weightKg: number | null;
  dimensionsCm: Dimensions | null;
  /** The event that decided the status; internal. */
  decidingEventId: string | null;
};

/** The way back. `startedAt` and `completedAt`: times of the events. */
export type ReturnState = {
  reason: string | null;
  trackingNumber: string | null;
  to: Place | null;
  startedAt: CarrierTime | null;
  completedAt: CarrierTime | null;
};

export type Leg = {
  sequence: number;
  mode: TransportMode;
  from: Place | null;
  to: Place | null;
  vehicle: Vehicle | null;
  departure: TimeTriple;
  arrival: TimeTriple;
  /** Delay of the arrival, like that of the journey. */
  delayHours: number | null;
  delayBasis: DelayBasis | null;
};

export type ContainerState = {
  number: string;
  isoType: string | null;
  status: Status;
  seals: string[];
  /** Absent: nothing is known. `shownFreeTime` says it in full. */
  freeTime?: StoredFreeTime;
  /** The event that decided the container's status; internal. */
  decidingEventId: string | null;
};

export type EventFlag = 'suspect_future' | 'voided' | 'superseded' | 'other_trip';

/**
 * An event as the record shows it: the stored event with its public flags. `leg` is the leg's sequence. `fulfilledBy`
 * is the id of the actual event that a plan or an estimate has ended with.
 */
export type RecordEvent = TrackingEvent & { leg: number | null; flags: EventFlag[]; fulfilledBy: string | null };

/** `source` as `shownSource` has it. */
export type StatusEvidence = { eventId: string; code: EventCode; source: string };

/** The part of the record that `composeJourney` computes from events. Stored composed. */
export type Journey = {
  status: Status;
  statusEvidence: StatusEvidence | null;
  latestEvent: RecordEvent | null;
  origin: Place | null;
  destination: Place | null;
  /** The carrier's last statement; internal. Absent: there is none. */
  statedRoute?: StatedRoute;
  currentLocation: Place | null;
  departure: TimeTriple;
  arrival: PromisedTimes;
  delivery: Delivery;
  /** Reason for the status, or kind of handover: of the event that decided the status, or a later one. */
  statusDetail: StatusDetail | null;
  service: Service | null;
  /** Gross weight. */
  weightKg: number | null;
  /** Null: unknown. */
  piecesCount: number | null;
  /** Sorted by number. Empty: the carrier lists none. */
  pieces: PieceState[];
  pickupPoint: PickupPoint | null;
  returned: ReturnState | null;
  /** The carrier's last statement; internal. Absent: there is none. */
  facts?: StatedFacts;
  eta: Eta | null;
  /** Delay of the arrival, or of the delivery if `eta` is one. */
  delayHours: number | null;
  delayBasis: DelayBasis | null;
  etaHistory: { eta: CarrierTime; kind: Eta['kind']; seenAt: string; source: string }[];
  legs: Leg[];
  containers: ContainerState[];
  containerStatusCounts: Partial<Record<Status, number>>;
  /** Null: it has no containers, or is neither ocean nor rail. */
  freeTime: FreeTimeSummary | null;
  exceptions: ShipmentException[];
  /** The carrier's bare notices of a last free day that a clock states with its day; internal. Absent: none. */
  freeDayNotices?: ShipmentException[];
  hasException: boolean;
  eventsCount: number;
  /** Past events, newest first, then open plans, soonest first, then replaced ones; at most 50. */
  events: RecordEvent[];
  /** When the first event more than 24 h ahead becomes eligible (ISO UTC). Null: there is none. */
  nextEligibleAt: string | null;
};

/** `polled`: Landfall asks the carrier. `pushed`: nobody is asked; sources push the events. */
export const trackingModes = ['polled', 'pushed'] as const;
export type TrackingMode = (typeof trackingModes)[number];

export type Tracking = {
  mode: TrackingMode;
  /** Of pushed tracking: hours without events after which it is stale. */
  staleAfterHours: number | null;
  state: TrackingState;
  reason: TrackingReason | null;
  freshness: Freshness;
  source: string | null;
  lastRefreshedAt: string | null;
  lastSucceededAt: string | null;
  lastChangedAt: string | null;
  nextRefreshAt: string | null;
  consecutiveFailures: number;
  traceId: string | null;
  /** True when the trace store was to keep the trace. */
  traceKept: boolean;
};

/** The member who takes care of a shipment, by the name at the time of reading. `userId` is a uuid. */
export type Assignee = { userId: string; name: string };

/** The whole record of one shipment, in domain names; `contract` has the one mapper to the wire. `id` is a uuid. */
export type Shipment = Registration & {
  id: string;
  accountId: string;
  test: boolean;
  carrierName: string;
  statusChangedAt: string | null;
  journey: Journey;
  /** Full hours since an unconfirmed ETA, at the time of reading. Null: it is not overdue. */
  overdueHours: number | null;
  /** By `isLate`, at the time of reading. */
  late: boolean;
  tracking: Tracking;
  /** As stored: see `needs-attention.ts`. */
  needsAttention: boolean;
  warnings: Warning[];
  /** Last free days that the client set. Absent: none. */
  manualFreeDays?: ManualFreeDay[];
  /** Null or absent: nobody. */
  assignee?: Assignee | null;
  /** Absent: none. */
  notesCount?: number;
  createdAt: string;
  updatedAt: string;
  /** ISO UTC. Null: not archived. */
  archivedAt: string | null;
  version: number;
  /** Last known position of the vehicle that carries it. Null: unknown, or this read doesn't include it. */
  currentPosition: VehiclePosition | null;
};

export type RefreshOutcome = 'changed' | 'unchanged' | 'not_found' | 'error';

/** The result of querying a carrier about one shipment, before it is recorded. */
export type FetchResult =
  | {
      outcome: 'found';
      reading: Reading;
      httpStatus: number;
      durationMs: number;
      /** The response itself is old (test shipments simulate this): the record is stale although it was just read. */
      stale?: boolean;
      /**
       * Hash of the response's bytes and of the code that read it (64 hex digits). Absent: such a response is always
       * read.
       */
      answerHash?: string;
    }
  /**
   * The response was not read, because nothing changed since the last reading: the carrier states so, or its bytes are
   * the same.
   */
  | { outcome: 'unchanged'; httpStatus: number; durationMs: number; source: string }
  | { outcome: 'not_found'; httpStatus: number | null; durationMs: number; reason: TrackingReason; source: string }
  | {
      outcome: 'error';
      httpStatus: number | null;
      durationMs: number;
      reason: TrackingReason;
      /** The carrier will never know this reference: stop polling. */
      permanent: boolean;
      retryAfterMs: number | null;
      /** Set while the carrier fails for other shipments too: how soon the next call is let through to it. */
      circuitOpenMs?: number;
      detail: string;
      source: string;
      /** Parts of the response that could not be read, if none could. */
      unreadable?: UnreadableEvent[];
      /** Set if the carrier refused the call. */
      refusedBy?: RefusedBy;
    };

/**
 * Subject of a carrier's refusal: `sign_in`, the credentials themselves; `key`, a call with an API key (401), which
 * concerns the credentials; `call`, a call with a token that it had just issued, or any call with 403.
 */
export type RefusedBy = 'sign_in' | 'key' | 'call';

export type { Classifier, LegRole };
