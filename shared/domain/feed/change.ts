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

/** The shipment as it was right after the change, as a summary shows it: without the lists that grow. */
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
  needsAttention: boolean;
};

/** The old and the new value of each changed field. */
export type ShipmentChanges = { [Field in keyof ChangedFields]?: [ChangedFields[Field], ChangedFields[Field]] };

/** What is stored with a change, in domain names. */
export type ChangeData = { shipment: ShipmentSnapshot; changes: ShipmentChanges };

/** A change with its position in the feed. `id` is a uuid. */
export type Change = {
  id: string;
  /** A whole number from 1, without gaps across the installation. */
  position: number;
  type: ChangeType;
  /** ISO UTC. */
  createdAt: string;
  data: ChangeData;
  traceparent: string | null;
};

/** The snapshot of a shipment that a change stores. */
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
