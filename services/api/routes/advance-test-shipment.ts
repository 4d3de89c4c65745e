import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseAdvanceBody } from '#shared/contract/shipments/advance-body.ts';
import { toWireShipment } from '#shared/contract/shipments/shipment-wire.ts';
import { advanceTestShipment } from '#shared/core/shipments/advance-test-shipment.ts';
import type { ApiContext } from '../context.ts';
import { runShipmentVerb } from './run-shipment-verb.ts';

/** 202: the refresh that shows it comes soon; the answer does not wait for it. */
export function advanceTestShipmentRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { steps } = parseAdvanceBody(request.body);
    const shipment = await runShipmentVerb(ctx, request, (core, caller, shipmentId) =>
      advanceTestShipment(core, caller, { shipmentId, steps }),
    );
    return reply.status(202).send(toWireShipment(shipment));
  };
}
