import { requestRefresh } from '#shared/core/shipments/request-refresh.ts';
import type { ApiContext } from '../context.ts';
import { shipmentVerbRoute } from './run-shipment-verb.ts';

/** 202: the carrier is asked soon; the answer does not wait for it. */
export function refreshShipmentRoute(ctx: ApiContext) {
  return shipmentVerbRoute(ctx, requestRefresh, 202);
}
