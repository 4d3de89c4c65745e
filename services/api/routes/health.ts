import type { FastifyReply, FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';

/** The process is alive. */
export function livezRoute(ctx: ApiContext) {
  return async (request: FastifyRequest) => {
    refuseForeignHost(ctx, request);
    return { status: 'ok' };
  };
}

/**
 * Requests can be served: the database takes writes, its disk is not full, and the server is not shutting down.
 */
export function readyzRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseForeignHost(ctx, request);
    if (ctx.stopping.aborted) throw new LandfallError('unavailable', 'Not ready: server shutting down.');
    const obstacle = await ctx.findObstacle();
    if (obstacle !== null) throw new LandfallError(obstacle.code, `Not ready: ${obstacle.text}.`);
    return reply.send({ status: 'ready' });
  };
}

/** So that no website can read the state through a browser in this network (DNS rebinding). */
function refuseForeignHost(ctx: ApiContext, request: FastifyRequest): void {
  if (ctx.settings.servesHealthTo(request.headers.host)) return;
  throw new LandfallError('host_not_allowed', 'This host is not allowed. Operators add hosts with ALLOWED_HOSTS.');
}
