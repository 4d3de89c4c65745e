import type { FastifyReply, FastifyRequest } from 'fastify';
import { removeCarrierCredentials } from '#shared/core/carriers/set-carrier-credentials.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { refuseQuery } from './refuse-query.ts';

/** 204, the second time too. */
export function removeCarrierCredentialsRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseQuery(request);
    const { carrier_code: carrier } = request.params as { carrier_code: string };
    await removeCarrierCredentials(ctx.core, callerOf(request), carrier);
    return reply.status(204).send();
  };
}
