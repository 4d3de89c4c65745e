import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import type { ApiContext } from '../context.ts';
import { shipmentVerbRoute } from './run-shipment-verb.ts';

/** The carrier is asked no more. */
export function stopShipmentRoute(ctx: ApiContext) {
  return shipmentVerbRoute(ctx, stopShipment, 200);
}
