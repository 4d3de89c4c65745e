import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireCarrier } from '#shared/contract/carriers/carrier-wire.ts';
import { getCarrier } from '#shared/core/carriers/list-carriers.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { refuseQuery } from './refuse-query.ts';

/** One carrier, by any of its names. */
export function getCarrierRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseQuery(request);
    const { carrier_code: code } = request.params as { carrier_code: string };
    const { carrier, refreshes, credentials, service } = await getCarrier(ctx.core, callerOf(request), code);
    return reply.send(toWireCarrier(carrier, refreshes, credentials, service));
  };
}
