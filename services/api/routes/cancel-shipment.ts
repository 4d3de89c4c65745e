import { cancelShipment } from '#shared/core/shipments/cancel-shipment.ts';
import type { ApiContext } from '../context.ts';
import { shipmentVerbRoute } from './run-shipment-verb.ts';

/** The client's booking or label is cancelled. */
export function cancelShipmentRoute(ctx: ApiContext) {
  return shipmentVerbRoute(ctx, cancelShipment, 200);
}
