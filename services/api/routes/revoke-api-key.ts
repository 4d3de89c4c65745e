import type { FastifyReply, FastifyRequest } from 'fastify';
import { revokeApiKey } from '#shared/core/keys/revoke-api-key.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { apiKeyIdOf } from './api-key-id.ts';
import { refuseQuery } from './refuse-query.ts';

/** 204, the second time too. */
export function revokeApiKeyRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    refuseQuery(request);
    await revokeApiKey(ctx.core, caller, apiKeyIdOf(request));
    return reply.status(204).send();
  };
}
