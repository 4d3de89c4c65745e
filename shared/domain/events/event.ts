import type { StatedFee, StatedFreeDay, StatedHold } from './stated-free-time.ts';
import type { StatusDetail } from './status-details.ts';
import type { TransportMode } from './transport-mode.ts';
import type { UnreadableEvent } from './unreadable.ts';

/** Event codes, the same in every mode (an open enum on the wire). */
export const eventCodes = [
  'information_received',
  'booking_confirmed',
  'document_issued',
  'gate_out_empty',
  'stuffed',
  'received_from_shipper',
  'gate_in_full',
  'manifested',
  'picked_up',
  'loaded',
  'departed',
  'in_transit',
  'arrived',
  'discharged',
  'rail_loaded',
  'rail_departed',
  'rail_arrived',
  'rail_unloaded',
  'received_from_flight',
  'customs_inspection',
  'customs_hold',
  'customs_released',
  'consignee_notified',
  'documents_delivered',
  'available_for_pickup',
  'not_available',
  'gate_out_full',
  'arrived_at_facility',
  'departed_facility',
  'out_for_delivery',
  'delivery_attempted',
  'delivered',
  'gate_in_empty',
  'return_started',
  'returned',
  'notice',
  'delayed',
  'cancelled',
  'lost',
  'destroyed',
  'undeliverable',
  'exception',
  'other',
] as const;

export type EventCode = (typeof eventCodes)[number];

export const allClassifiers = ['planned', 'estimated', 'actual'] as const;
export type Classifier = (typeof allClassifiers)[number];

/** Roles of an event's place on the journey. */
export const allLegRoles = ['origin', 'pol', 'transshipment', 'pod', 'destination', 'inland', 'unknown'] as const;
export type LegRole = (typeof allLegRoles)[number];

/**
 * A place. Every part may be unknown. `unlocode` is UN/LOCODE (5 characters), `country` ISO 3166-1 alpha-2, `timezone`
 * IANA.
 */
export type Place = {
  name: string | null;
  unlocode: string | null;
  iata: string | null;
  country: string | null;
  lat: number | null;
  lng: number | null;
  timezone: string | null;
  facility: string | null;
};

/**
 * Source of the zone of a time: stated with it; from other scans at the place; from the place's code, coordinates or
 * country; from its city, its postal code, or as the zone in which most people of its state live; or none.
 */
export const zoneSources = ['carrier', 'scans', 'location', 'city', 'postal_code', 'state', 'assumed_utc'] as const;
export type ZoneSource = (typeof zoneSources)[number];

/**
 * A carrier's time. `at` is an ISO 8601 UTC instant. `local` has no offset: `2026-04-15T08:00`, with seconds when
 * `precision` is second, or `2026-04-15` when it is date: then `at` is noon UTC.
 */
export type CarrierTime = {
  at: string;
  local: string;
  timezone: string | null;
  zoneSource: ZoneSource;
  precision: 'date' | 'minute' | 'second';
};

/** A time window. One end may be open. `from` is never after `to`. */
export type TimeWindow = { from: CarrierTime | null; to: CarrierTime | null };

export type Vehicle = { name: string | null; imo: string | null; voyage: string | null; flight: string | null };

/** Details of one event beside its code, time and place, as the carrier states them. An absent field was not stated. */
export type EventDetails = {
  /** Tracking number of the piece that the event is about, upper case without spaces. Absent: the whole shipment. */
  piece?: string;
  statusDetail?: StatusDetail;
  /** Of an expected delivery: when on that day. Its end, where it has one, counts as the time that is expected. */
  window?: TimeWindow;
  /** Number of pieces that the event is about, if a shipment travels in parts. */
  piecesCount?: number;
  /** The pieces of the whole shipment, where the event is about some of them. */
  piecesTotal?: number;
  /** Number of the stop of a truckload that the event is about, from 1. */
  stopNumber?: number;
  /** Weight of what the event is about. */
  weightKg?: number;
  /** The unit load device of an air shipment, as the carrier writes it: `AKE12345LH`. */
  uld?: string;
  /** The source that pushed a client's event: `acme-terminal`. Absent: no source pushed it. */
  sourceName?: string;
  /** Holds of the container at that time. A hold that is not named stays as it was. */
  holds?: StatedHold[];
  fees?: StatedFee[];
  freeDays?: StatedFreeDay[];
  /** True when the container can be collected; present if the code doesn't show it. */
  available?: boolean;
};

/** One event that a connector read from a carrier, not stored yet. `raw` is the carrier's own data. */
export type ReadEvent = {
  code: EventCode;
  classifier: Classifier;
  /** `unknown` until `assignLegRoles` has seen all events. A connector sets it only if the carrier states it. */
  legRole: LegRole;
  time: CarrierTime;
  location: Place | null;
  /**
   * Container number as the carrier wrote it, upper case without spaces. Null: the event is about the whole shipment.
   */
  container: string | null;
  isoType: string | null;
  mode: TransportMode | null;
  vehicle: Vehicle | null;
  empty: boolean | null;
  seals: string[];
  delayReason: string | null;
  /** Document number of a document event. Part of the dedupe key. */
  document: string | null;
  description: string | null;
  carrierCode: string | null;
  carrierDescription: string | null;
  sourceEventId: string | null;
  /** When the carrier created the event, ISO UTC. */
  sourceCreatedAt: string | null;
  source: 'carrier' | 'client' | 'test';
  details?: EventDetails;
  raw: unknown;
};

/**
 * A stored event. `id` is a uuid (v7). Times are ISO UTC. Rows are append-only: only `supersededBy` and `voidedAt` are
 * set later.
 */
export type TrackingEvent = Omit<ReadEvent, 'raw'> & {
  id: string;
  dedupeKey: string;
  receivedAt: string;
  supersededBy: string | null;
  voidedAt: string | null;
};

/** Start and end of the shipment as the carrier states them. Null: it states none. */
export type StatedRoute = { origin: Place | null; destination: Place | null };

/** The product that the carrier was paid for, as the carrier calls it. */
export type Service = { code: string | null; name: string | null };

export type Dimensions = { length: number; width: number; height: number };

/** A piece as the carrier describes it. What happened to it is in the events that name it. */
export type StatedPiece = {
  /** Upper case, without spaces. Unique within the shipment. */
  trackingNumber: string;
  weightKg: number | null;
  /** In centimeters. */
  dimensionsCm: Dimensions | null;
};

export const pickupPointKinds = ['locker', 'shop', 'post_office', 'depot', 'other'] as const;

/** Place where the addressee can collect the shipment. */
export type PickupPoint = {
  kind: (typeof pickupPointKinds)[number];
  /** The carrier's own number of the point. */
  id: string | null;
  name: string | null;
  /** Street and number, as one line. */
  address: string | null;
  place: Place | null;
  /** Opening hours in the carrier's words. */
  hours: string | null;
  /** Until when it is kept there. */
  keptUntil: CarrierTime | null;
};

export const proofKinds = ['signature', 'photo', 'document'] as const;
export type ProofKind = (typeof proofKinds)[number];

/** A proof of delivery that the carrier can supply. */
export type StatedProof = {
  kind: ProofKind;
  /**
   * Handle with which the connector fetches it: internal, at most 2,000 characters, the same in every reading (no
   * signed URL): another handle is another statement. Null: the tracking number is enough.
   */
  handle: string | null;
  /** The piece that it is about. Null: the whole shipment. */
  piece: string | null;
  /** The carrier shows it to people, and not to programs. Absent: it can be fetched. */
  unavailable?: true;
};

/** The way back, once a shipment is being returned. */
export type StatedReturn = {
  reason: string | null;
  /** The number under which the carrier returns it, where that is another one. */
  trackingNumber: string | null;
  to: Place | null;
};

/**
 * A carrier's facts on the whole shipment, beside its events. A field that is absent was not stated: the earlier
 * statement stays. Anything with a time is an event and not here.
 */
export type StatedFacts = {
  service?: Service;
  /** Gross weight of the whole shipment. */
  weightKg?: number;
  /** Number of pieces of the whole shipment, also where the carrier doesn't list them. */
  piecesCount?: number;
  pieces?: StatedPiece[];
  pickupPoint?: PickupPoint;
  /** The recipient, in the carrier's words. */
  receivedBy?: string;
  /** Place of delivery, in the carrier's words: `Front door`. */
  leftAt?: string;
  proof?: StatedProof[];
  returned?: StatedReturn;
};

/** Pieces that are kept of a reading. The count says how many there are. */
export const maxStatedPieces = 200;

/** Result of one refresh. `unreadable` events could not be read and are kept with their raw body. */
export type Reading = {
  events: ReadEvent[];
  unreadable: UnreadableEvent[];
  source: string;
  /** Absent: the carrier says nothing about it. */
  route?: StatedRoute;
  /** Absent: the carrier states nothing about the whole shipment. */
  facts?: StatedFacts;
  /** Number of events whose words disagree with their code. Absent: none. */
  codeConflicts?: number;
  /**
   * Reason why the carrier's list is incomplete; absent: it is complete. An event that is missing from an incomplete
   * list may still exist.
   */
  partial?: string;
  /**
   * True when the carrier guarantees stable event ids: an event that comes back changed replaces the one with its id.
   */
  stableEventIds?: boolean;
};
