import { taggedTextOf, toWireShipment } from '#shared/contract/record/shipment-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { purgeShipment } from '#shared/core/removal/remove-shipments.ts';
import { advanceTestShipment } from '#shared/core/shipments/advance-test-shipment.ts';
import { cancelShipment } from '#shared/core/shipments/cancel-shipment.ts';
import { requestRefresh } from '#shared/core/shipments/request-refresh.ts';
import { resumeShipment } from '#shared/core/shipments/resume-shipment.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import { archiveShipment, updateShipment } from '#shared/core/shipments/update-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { annotateSpan } from '#shared/telemetry/events.ts';
import { addTo } from '#shared/telemetry/instruments.ts';
import type { ApiContext } from '../context.ts';
import { entityTag } from '../http/answer-headers.ts';
import { answer, type Routes } from '../plugins/serve.ts';

export const shipmentVerbRoutes = {
  async updateShipment({ ctx, caller, params, body }) {
    return answerRecord(200, await updateShipment(ctx.core, caller, params.shipmentId, body));
  },

  async archiveShipment({ ctx, caller, params }) {
    const { carrier } = await archiveShipment(ctx.core, caller, params.shipmentId);
    annotateSpan({ 'carrier.code': carrier });
    return undefined;
  },

  async purgeShipment({ ctx, caller, params }) {
    await purgeShipment(ctx.core, caller, params.shipmentId);
    addTo('landfall.shipments.removed', 1, { by: 'request' });
    return undefined;
  },

  /** The answer does not wait for the carrier. */
  refreshShipment: verb(202, requestRefresh),
  stopShipment: verb(200, stopShipment),
  resumeShipment: verb(200, resumeShipment),
  cancelShipment: verb(200, cancelShipment),

  /** The answer does not wait for the refresh that shows the step. */
  async advanceTestShipment({ ctx, caller, params, body }) {
    return answerRecord(202, await advanceTestShipment(ctx.core, caller, { ...params, ...body }));
  },
} satisfies Partial<Routes>;

type Verb = (core: CoreContext, caller: Caller, shipmentId: string) => Promise<Shipment>;

/** A verb without a body that answers with the record. */
function verb<Status extends 200 | 202>(status: Status, run: Verb) {
  return async (call: { ctx: ApiContext; caller: Caller; params: { shipmentId: string } }) =>
    answerRecord(status, await run(call.ctx.core, call.caller, call.params.shipmentId));
}

/** The ETag is that of a read, so that the next change can name it in `If-Match`. */
function answerRecord<Status extends 200 | 202>(status: Status, shipment: Shipment) {
  annotateSpan({ 'carrier.code': shipment.carrier });
  return answer(status, toWireShipment(shipment), { etag: entityTag(taggedTextOf(shipment)) });
}
