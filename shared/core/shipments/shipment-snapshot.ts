import type { ShipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';

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
