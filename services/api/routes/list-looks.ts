import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireLookList } from '#shared/contract/record-wire.ts';
import { listLooks } from '#shared/core/list-looks.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { refuseQuery } from './refuse-query.ts';
import { shipmentIdOf } from './shipment-id-of.ts';

/** The last looks at the carrier. */
export function listLooksRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseQuery(request);
    return reply.send(toWireLookList(await listLooks(ctx.core, callerOf(request), shipmentIdOf(request))));
  };
}
