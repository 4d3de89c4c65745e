import { toWireShipment } from '#shared/contract/shipments/shipment-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { advanceTestShipment } from '#shared/core/shipments/advance-test-shipment.ts';
import { cancelShipment } from '#shared/core/shipments/cancel-shipment.ts';
import { requestRefresh } from '#shared/core/shipments/request-refresh.ts';
import { resumeShipment } from '#shared/core/shipments/resume-shipment.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import { archiveShipment, updateShipment } from '#shared/core/shipments/update-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import type { ApiContext } from '../context.ts';
import type { Routes } from '../plugins/serve.ts';

export const shipmentVerbRoutes = {
  async updateShipment({ ctx, caller, params, body }) {
    return toWire(await updateShipment(ctx.core, caller, params.shipmentId, body));
  },

  async archiveShipment({ ctx, caller, params }) {
    const { carrier } = await archiveShipment(ctx.core, caller, params.shipmentId);
    annotateSpan({ 'carrier.code': carrier });
    return undefined;
  },

  /** The answer does not wait for the carrier. */
  refreshShipment: verb(requestRefresh),
  stopShipment: verb(stopShipment),
  resumeShipment: verb(resumeShipment),
  cancelShipment: verb(cancelShipment),

  /** The answer does not wait for the refresh that shows the step. */
  async advanceTestShipment({ ctx, caller, params, body }) {
    return toWire(await advanceTestShipment(ctx.core, caller, { ...params, ...body }));
  },
} satisfies Partial<Routes>;

type Verb = (core: CoreContext, caller: Caller, shipmentId: string) => Promise<Shipment>;

/** A verb without a body that answers with the record. */
function verb(run: Verb) {
  return async (call: { ctx: ApiContext; caller: Caller; params: { shipmentId: string } }) =>
    toWire(await run(call.ctx.core, call.caller, call.params.shipmentId));
}

function toWire(shipment: Shipment) {
  annotateSpan({ 'carrier.code': shipment.carrier });
  return toWireShipment(shipment);
}
