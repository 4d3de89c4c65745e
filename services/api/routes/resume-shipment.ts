import { resumeShipment } from '#shared/core/shipments/resume-shipment.ts';
import type { ApiContext } from '../context.ts';
import { shipmentVerbRoute } from './run-shipment-verb.ts';

/** The carrier is asked again. */
export function resumeShipmentRoute(ctx: ApiContext) {
  return shipmentVerbRoute(ctx, resumeShipment, 200);
}
