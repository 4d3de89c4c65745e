import type { FastifyReply, FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';

/** The process is alive. */
export function livezRoute() {
  return async () => ({ status: 'ok' });
}

/** Requests can be served: the database is available and the server is not shutting down. */
export function readyzRoute(ctx: ApiContext) {
  return async (_request: FastifyRequest, reply: FastifyReply) => {
    const obstacle = ctx.stopping.aborted ? 'server shutting down' : await ctx.findObstacle();
    if (obstacle !== null) throw new LandfallError('unavailable', `Not ready: ${obstacle}.`);
    return reply.send({ status: 'ready' });
  };
}
