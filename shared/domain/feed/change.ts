import {
  allClassifiers,
  allLegRoles,
  type CarrierTime,
  type Classifier,
  type EventCode,
  eventCodes,
  type LegRole,
} from '../events/event.ts';
import type { ManualFreeDay } from '../events/stated-free-time.ts';
import type { ChangedNote } from '../notes/note.ts';
import type { ClockState } from '../record/free-time.ts';
import type {
  Assignee,
  Freshness,
  Identifiers,
  Journey,
  RecordEvent,
  Shipment,
  ShipmentException,
  Status,
  TrackingReason,
  TrackingState,
} from '../record/shipment.ts';
import { type StatedFields, type SummaryStatedName, summaryStatedNames } from '../record/stated-fields.ts';
import type { DisabledReason, ShipmentChangeType } from './change-types.ts';

/** Part of an event that a reader sees. */
export type ShownEvent = Pick<
  RecordEvent,
  | 'id'
  | 'code'
  | 'classifier'
  | 'time'
  | 'location'
  | 'legRole'
  | 'container'
  | 'details'
  | 'leg'
  | 'vehicle'
  | 'description'
  | 'carrierCode'
  | 'carrierDescription'
  | 'source'
  | 'receivedAt'
  | 'supersededBy'
  | 'fulfilledBy'
  | 'flags'
>;

/** The shipment as it was right after the change, with the fields that a summary shows. */
export type ShipmentSnapshot = Pick<
  Shipment,
  (typeof ownFields)[number] | SummaryStatedName | 'assignee' | 'notesCount'
> & {
  tracking: Pick<Shipment['tracking'], (typeof trackingFields)[number]>;
  journey: Pick<Journey, (typeof journeyFields)[number]> & { latestEvent: ShownEvent | null };
};

/** The fields of a snapshot. A stated field has its row in `record/stated-fields.ts`. */
const ownFields = [
  ...['id', 'transportMode', 'carrier', 'carrierName', 'identifiers', 'statusChangedAt', 'overdueHours', 'late'],
  ...['needsAttention', 'createdAt', 'updatedAt', 'archivedAt', 'version'],
] as const satisfies readonly (keyof Shipment)[];
const trackingFields = [
  ...['mode', 'state', 'reason', 'freshness', 'lastSucceededAt', 'nextRefreshAt'],
] as const satisfies readonly (keyof Shipment['tracking'])[];
const journeyFields = [
  ...['status', 'origin', 'destination', 'departure', 'arrival', 'delivery', 'eta', 'delayHours', 'delayBasis'],
  ...['statusDetail', 'service', 'weightKg', 'piecesCount', 'freeTime', 'hasException'],
] as const satisfies readonly (keyof Journey)[];

type ChangedFields = StatedFields & {
  status: Status | null;
  eta: CarrierTime | null;
  eventsCount: number;
  /** Container numbers. */
  containers: string[];
  exception: ShipmentException | null;
  trackingState: TrackingState;
  trackingReason: TrackingReason | null;
  freshness: Freshness;
  overdueHours: number | null;
  /** The most urgent state of its clocks, and the earliest last free day. Null: it has no clock, or none that is open. */
  freeTime: ClockState | null;
  lastFreeDay: string | null;
  manualFreeDays: ManualFreeDay[];
  identifiers: Identifiers;
  carrier: string;
  archived: boolean;
  needsAttention: boolean;
  assignee: Assignee | null;
  notesCount: number;
};

/** The old and the new value of each changed field. */
export type ShipmentChanges = { [Field in keyof ChangedFields]?: [ChangedFields[Field], ChangedFields[Field]] };

/** The events that a change added: the first ones in the order of the record, and how many more there are. */
export type AddedEvents = { events: ShownEvent[]; more: number };

/** Events that a change contains. The others are in the shipment's history. */
export const maxAddedEvents = 20;

/** Data stored with a change, in domain names. */
export type ChangeData = {
  shipment: ShipmentSnapshot;
  changes: ShipmentChanges;
  added?: AddedEvents;
  /** Of changes that are about a note. */
  note?: ChangedNote;
};

/** The events by which readers narrow the feed. An empty list does not narrow. */
export type NarrowedEvents = {
  codes: readonly EventCode[];
  legRoles: readonly LegRole[];
  classifiers: readonly Classifier[];
};

/** The key of an event in the feed. */
export function eventKeyOf(event: Pick<RecordEvent, 'code' | 'legRole' | 'classifier'>): string {
  return `${event.code}|${event.legRole}|${event.classifier}`;
}

/** The keys of all events that match. Null: not narrowed. */
export function eventKeysOf({ codes, legRoles, classifiers }: NarrowedEvents): string[] | null {
  if (codes.length + legRoles.length + classifiers.length === 0) return null;
  return orAll(codes, eventCodes).flatMap((code) =>
    orAll(legRoles, allLegRoles).flatMap((legRole) =>
      orAll(classifiers, allClassifiers).map((classifier) => eventKeyOf({ code, legRole, classifier })),
    ),
  );
}

function orAll<Value>(wanted: readonly Value[], all: readonly Value[]): readonly Value[] {
  return wanted.length === 0 ? all : [...new Set(wanted)];
}

type Sequenced = {
  /** A uuid. */
  id: string;
  /** A whole number, counted per account, without gaps but those that restores leave. */
  sequence: number;
  /** ISO UTC. */
  createdAt: string;
  traceparent: string | null;
};

/** A change of a shipment, with its sequence in the feed. */
export type ShipmentChange = Sequenced & { type: ShipmentChangeType; data: ChangeData };

/** Data stored when Landfall disables a webhook endpoint. `id` is a uuid. */
export type EndpointChangeData = {
  webhookEndpoint: { id: string; url: string; description: string | null; reason: DisabledReason };
};

/** A change of a webhook endpoint. It has no shipment. */
export type EndpointChange = Sequenced & { type: 'webhook.disabled'; data: EndpointChangeData };

/** A change of the account, with its sequence in the feed. */
export type Change = ShipmentChange | EndpointChange;

/** The shipment that changed. Null: none did. */
export function changedShipmentOf(change: Change): ShipmentSnapshot | null {
  return change.type === 'webhook.disabled' ? null : change.data.shipment;
}

/** The snapshot of a shipment that a change stores. */
export function shipmentSnapshot(shipment: Shipment): ShipmentSnapshot {
  const { journey, tracking, assignee, notesCount } = shipment;
  return {
    ...pick(shipment, ownFields),
    ...pick(shipment, summaryStatedNames),
    ...(assignee && { assignee }),
    ...(notesCount && { notesCount }),
    tracking: pick(tracking, trackingFields),
    journey: { ...pick(journey, journeyFields), latestEvent: journey.latestEvent && shownEvent(journey.latestEvent) },
  };
}

function pick<From extends object, Name extends keyof From>(from: From, names: readonly Name[]): Pick<From, Name> {
  const picked: Partial<From> = {};
  for (const name of names) picked[name] = from[name];
  return picked as Pick<From, Name>;
}

/** The event without what only recording it needs. */
export function shownEvent(event: RecordEvent): ShownEvent {
  return {
    id: event.id,
    code: event.code,
    classifier: event.classifier,
    time: event.time,
    location: event.location,
    legRole: event.legRole,
    container: event.container,
    ...(event.details && { details: event.details }),
    leg: event.leg,
    vehicle: event.vehicle,
    description: event.description,
    carrierCode: event.carrierCode,
    carrierDescription: event.carrierDescription,
    source: event.source,
    receivedAt: event.receivedAt,
    supersededBy: event.supersededBy,
    fulfilledBy: event.fulfilledBy,
    flags: event.flags,
  };
}
