import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireMe } from '#shared/contract/keys/me-wire.ts';
import { describeCaller } from '#shared/core/keys/describe-caller.ts';
import { limitsOf } from '#shared/domain/keys/limits.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { refuseQuery } from './refuse-query.ts';

/** Who is asking, and what the key may do. */
export function getMeRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseQuery(request);
    const description = await describeCaller(ctx.core, callerOf(request), request.limits ?? limitsOf({}));
    return reply.header('cache-control', 'private, no-cache').send(toWireMe(description));
  };
}
