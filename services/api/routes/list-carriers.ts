import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireCarrier } from '#shared/contract/carriers/carrier-wire.ts';
import { listCarriersQuery } from '#shared/contract/carriers/list-carriers-query.ts';
import { readQuery } from '#shared/contract/read-query.ts';
import { listCarriers } from '#shared/core/carriers/list-carriers.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';

/** The carriers of the catalogue that match. */
export function listCarriersRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { transport_mode: transportMode, q } = readQuery(listCarriersQuery, Object(request.query));
    const found = await listCarriers(ctx.core, callerOf(request), {
      transportMode: transportMode ?? null,
      q: q ?? null,
    });
    return reply.send({
      data: found.map(({ carrier, refreshes, credentials, service }) =>
        toWireCarrier(carrier, refreshes, credentials, service),
      ),
    });
  };
}
