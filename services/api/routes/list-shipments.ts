import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseListShipmentsQuery } from '#shared/contract/shipments/list-shipments-query.ts';
import { toWireShipmentList } from '#shared/contract/shipments/list-wire.ts';
import { listShipments } from '#shared/core/shipments/list-shipments.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { linkNextPage } from './link-next-page.ts';

/** One page, with the next one's address in `Link`. */
export function listShipmentsRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { includeTotal, shape, ...list } = parseListShipmentsQuery(Object(request.query));
    const withEvents = shape.include.includes('events');
    const page = await listShipments(ctx.core, callerOf(request), { ...list, withCounts: includeTotal, withEvents });
    linkNextPage(request, reply, page.nextCursor);
    return reply.send(toWireShipmentList(page, shape));
  };
}
