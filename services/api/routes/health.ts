import type { FastifyReply, FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';

/** The process is alive. */
export function livezRoute() {
  return async () => ({ status: 'ok' });
}

/**
 * Requests can be served: the database is available and its disk not full, and the server is not shutting down.
 */
export function readyzRoute(ctx: ApiContext) {
  return async (_request: FastifyRequest, reply: FastifyReply) => {
    if (ctx.stopping.aborted) throw new LandfallError('unavailable', 'Not ready: server shutting down.');
    const obstacle = await ctx.findObstacle();
    if (obstacle !== null) throw new LandfallError(obstacle.code, `Not ready: ${obstacle.text}.`);
    return reply.send({ status: 'ready' });
  };
}
