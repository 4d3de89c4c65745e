import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireShipment } from '#shared/contract/shipments/shipment-wire.ts';
import { parseUpdateShipmentBody } from '#shared/contract/shipments/update-shipment-body.ts';
import { updateShipment } from '#shared/core/shipments/update-shipment.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import { runShipmentVerb } from './run-shipment-verb.ts';

/** The record as it then is. */
export function updateShipmentRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const shipment = await runShipmentVerb(ctx, request, (core, caller, id) => {
      if (request.body === undefined) throw new LandfallError('invalid_json', 'The body is empty; send a JSON object');
      return updateShipment(core, caller, id, parseUpdateShipmentBody(request.body));
    });
    return reply.send(toWireShipment(shipment));
  };
}
