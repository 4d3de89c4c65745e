import type { FastifyReply, FastifyRequest } from 'fastify';
import { archiveShipment } from '#shared/core/shipments/update-shipment.ts';
import type { ApiContext } from '../context.ts';
import { refuseFields, runShipmentVerb } from './run-shipment-verb.ts';

/** 204, also when it was archived before. */
export function archiveShipmentRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseFields(request);
    await runShipmentVerb(ctx, request, archiveShipment);
    return reply.status(204).send();
  };
}
