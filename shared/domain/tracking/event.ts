import type { TransportMode } from '../shipments/transport-mode.ts';
import type { SetAside } from './unreadable.ts';

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
  'delayed',
  'cancelled',
  'lost',
  'destroyed',
  'undeliverable',
  'exception',
  'other',
] as const;

export type EventCode = (typeof eventCodes)[number];
export type Classifier = 'planned' | 'estimated' | 'actual';

/** Where on the journey an event happened. */
export type LegRole = 'origin' | 'pol' | 'transshipment' | 'pod' | 'destination' | 'inland' | 'unknown';

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
 * A carrier's time. `at` is an ISO 8601 UTC instant. `local` has no offset: `2026-04-15T08:00`, with seconds when
 * `precision` is second, or `2026-04-15` when it is date: then `at` is noon UTC.
 */
export type CarrierTime = {
  at: string;
  local: string;
  timezone: string | null;
  zoneSource: 'carrier' | 'location' | 'assumed_utc';
  precision: 'date' | 'minute' | 'second';
};

export type Vehicle = { name: string | null; imo: string | null; voyage: string | null; flight: string | null };

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

/** What one refresh returned. `rejected` events could not be read and are kept with their raw body. */
export type Reading = {
  events: ReadEvent[];
  rejected: SetAside[];
  source: string;
  /**
   * Why the carrier's list is incomplete; absent: it is complete. An event that is missing from an incomplete list may
   * still exist.
   */
  partial?: string;
  /**
   * True when the carrier guarantees stable event ids: an event that comes back changed replaces the one with its id.
   */
  stableEventIds?: boolean;
};
