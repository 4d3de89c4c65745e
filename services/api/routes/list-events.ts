import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseListEventsQuery } from '#shared/contract/record-queries.ts';
import { toWireEventList } from '#shared/contract/record-wire.ts';
import { listEvents } from '#shared/core/list-events.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { shipmentIdOf } from './shipment-id-of.ts';

/** One page of a shipment's history, with the next one's address in `Link`. */
export function listEventsRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const input = parseListEventsQuery(Object(request.query));
    const page = await listEvents(ctx.core, callerOf(request), { ...input, shipmentId: shipmentIdOf(request) });
    if (page.nextCursor !== null) reply.header('link', `<${nextAddress(request.url, page.nextCursor)}>; rel="next"`);
    return reply.send(toWireEventList(page));
  };
}

function nextAddress(url: string, cursor: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return `${path}?${parameters}`;
}
