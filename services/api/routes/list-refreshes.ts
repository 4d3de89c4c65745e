import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireRefreshList } from '#shared/contract/shipments/record-wire.ts';
import { listRefreshes } from '#shared/core/shipments/list-refreshes.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { refuseQuery } from './refuse-query.ts';
import { shipmentIdOf } from './shipment-id-of.ts';

/** The last refreshes. */
export function listRefreshesRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseQuery(request);
    return reply.send(toWireRefreshList(await listRefreshes(ctx.core, callerOf(request), shipmentIdOf(request))));
  };
}
