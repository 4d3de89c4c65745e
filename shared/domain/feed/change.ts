import type {
  Freshness,
  Identifiers,
  Journey,
  Shipment,
  ShipmentException,
  Status,
  TrackingReason,
  TrackingState,
} from '../shipments/shipment.ts';
import type { CarrierTime } from '../tracking/event.ts';
import type { ChangeType } from './change-types.ts';

/** What a change keeps of the shipment as it was right after it: all that a summary shows, without the lists that grow. */
export type ShipmentSnapshot = Omit<Shipment, 'accountId' | 'journey' | 'metadata'> & {
  journey: Omit<Journey, 'events' | 'etaHistory' | 'legs' | 'containers' | 'exceptions'>;
};

type ChangedFields = {
  status: Status | null;
  eta: CarrierTime | null;
  eventsCount: number;
  /** Container numbers. */
  containers: string[];
  exception: ShipmentException | null;
  trackingState: TrackingState;
  trackingReason: TrackingReason | null;
  freshness: Freshness;
  identifiers: Identifiers;
  carrier: string;
  reference: string | null;
  tags: string[];
  metadata: Record<string, string>;
  destinationPostalCode: string | null;
  archived: boolean;
};

/** The old and the new value of each field that a change is about. */
export type ShipmentChanges = { [Field in keyof ChangedFields]?: [ChangedFields[Field], ChangedFields[Field]] };

/** What is stored with a change, in domain names. */
export type ChangeData = { shipment: ShipmentSnapshot; changes: ShipmentChanges };

/** A change that has its place in the feed. `id` is a uuid. */
export type Change = {
  id: string;
  /** Whole number from 1, without gaps over the whole installation. */
  position: number;
  type: ChangeType;
  /** ISO UTC. */
  createdAt: string;
  data: ChangeData;
  traceparent: string | null;
};

/** The shipment as a change keeps it: everything a summary shows, without the lists that grow. */
export function shipmentSnapshot(shipment: Shipment): ShipmentSnapshot {
  const { accountId: _accountId, metadata: _metadata, journey, ...summary } = shipment;
  const {
    events: _events,
    etaHistory: _etaHistory,
    legs: _legs,
    containers: _containers,
    exceptions: _exceptions,
    ...rest
  } = journey;
  return { ...summary, journey: rest };
}
