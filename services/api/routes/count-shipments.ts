import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireCounts } from '#shared/contract/shipments/counts-wire.ts';
import { parseCountShipmentsQuery } from '#shared/contract/shipments/list-shipments-query.ts';
import { countShipments } from '#shared/core/shipments/count-shipments.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';

/** How many shipments a filter gives. */
export function countShipmentsRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const filter = parseCountShipmentsQuery(Object(request.query));
    return reply.send(toWireCounts(await countShipments(ctx.core, callerOf(request), filter)));
  };
}
