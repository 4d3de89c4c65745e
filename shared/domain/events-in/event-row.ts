import type { InputMistake } from '../errors.ts';
import type { Classifier, EventCode, EventDetails } from '../events/event.ts';
import type { StatedFee, StatedFreeDay, StatedHold } from '../events/stated-free-time.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import type { IdentifierKey } from '../record/shipment.ts';
import type { RowError } from '../registration/storable-error.ts';

/**
 * Shipments of a row: one by its id (a uuid), those with a reference, or every open one that has all of the numbers.
 * `carrier` and `transportMode` narrow the search; null: any.
 */
export type EventTarget =
  | { shipmentId: string }
  | { reference: string }
  | {
      numbers: { key: IdentifierKey; value: string }[];
      carrier: string | null;
      transportMode: TransportMode | null;
    };

/**
 * A time as its source states it: with an offset, or local with the zone (null: that of the row's location). `timezone` of
 * one with an offset: the zone of a location that doesn't have its own. Default: none.
 */
export type SentTime = { at: string; timezone?: string | null } | { local: string; timezone: string | null };

/** A place as its source states it. `name` is kept as it is; codes must exist. */
export type SentPlace = {
  unlocode: string | null;
  iata: string | null;
  name: string | null;
  country: string | null;
  lat: number | null;
  lng: number | null;
  /** Terminal, ramp or depot at the place. */
  facility: string | null;
};

/** Position of a vehicle. `at` with an offset; null: at the time of the event. */
export type SentPosition = { lat: number; lng: number; at: string | null };

export type SentVehicle = {
  name: string | null;
  imo: string | null;
  voyage: string | null;
  flight: string | null;
  position: SentPosition | null;
};

/**
 * One row of events in as a source sent it: its shape has been checked, what it means has not. What could not be read
 * is null or empty, and `mistakes` says why.
 */
export type SentEventRow = {
  /** Tried in order: the first that finds a shipment counts. */
  targets: readonly EventTarget[];
  /** Lower case: `acme-terminal`. */
  sourceName: string | null;
  /** The source's own id of the event. The same id with other content replaces what it said before. */
  externalId: string | null;
  /** When the source made this statement, with an offset. Null: the order of arrival counts. */
  createdAt: string | null;
  /** Null: the row only has holds, fees, free days, availability or a position. */
  code: EventCode | null;
  classifier: Classifier;
  time: SentTime | null;
  location: SentPlace | null;
  container: string | null;
  piece: string | null;
  vehicle: SentVehicle | null;
  /** Mode of the leg that the event belongs to. Null: not stated. */
  transportMode: TransportMode | null;
  holds: readonly StatedHold[];
  freeDays: readonly StatedFreeDay[];
  fees: readonly StatedFee[];
  available: boolean | null;
  description: string | null;
  /** The source's own code and words, as a message has them. Default: none. */
  sourceCode?: string;
  sourceWords?: string;
  /** The reason of the status, and the part of the cargo that the event is about. Default: not stated. */
  details?: Pick<EventDetails, 'statusDetail' | 'piecesCount' | 'piecesTotal' | 'weightKg' | 'stopNumber'>;
  /** Of an expected delivery: when its window begins. `time` is its end. Default: no window. */
  windowFrom?: SentTime;
  /** Default: not stated. */
  empty?: boolean;
  seals?: readonly string[];
  /** The row as received. It is stored with the event. */
  raw: unknown;
  /** Mistakes in the shape; pointers into the row. Default: none. */
  mistakes?: readonly InputMistake[];
};

/** Rows of one call. */
export const maxEventRows = 1000;
/** Rows of a call that names its shipment in the path. */
export const maxShipmentEventRows = 100;

/**
 * Outcome of a row at one shipment. `added`: a new event. `replaced`: a new event in place of the source's former one
 * with the same id. `unchanged`: it is known. `outdated`: the source has sent something newer since. `voided`: this
 * very statement was voided, and stays so. `position_updated`: it had nothing but a position.
 */
export const eventOutcomes = ['added', 'replaced', 'unchanged', 'outdated', 'voided', 'position_updated'] as const;
export type EventOutcome = (typeof eventOutcomes)[number];

/** Ids are public (`shp_…`, `evt_…`). `eventId` is null for a mere position. */
export type RecordedRow = { shipmentId: string; outcome: EventOutcome; eventId: string | null };

/** Outcome of one row, which may concern several shipments. */
export type EventRowResult = { outcome: 'recorded'; shipments: RecordedRow[] } | { outcome: 'failed'; error: RowError };
