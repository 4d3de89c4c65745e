import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseListEventsQuery } from '#shared/contract/shipments/record-queries.ts';
import { toWireEventList } from '#shared/contract/shipments/record-wire.ts';
import { listEvents } from '#shared/core/shipments/list-events.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { linkNextPage } from './link-next-page.ts';
import { shipmentIdOf } from './shipment-id-of.ts';

/** One page of a shipment's history, with the next one's address in `Link`. */
export function listEventsRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const input = parseListEventsQuery(Object(request.query));
    const page = await listEvents(ctx.core, callerOf(request), { ...input, shipmentId: shipmentIdOf(request) });
    linkNextPage(request, reply, page.nextCursor);
    return reply.send(toWireEventList(page));
  };
}
