import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireCreatedApiKey } from '#shared/contract/keys/api-key-wire.ts';
import { parseRotateApiKeyBody } from '#shared/contract/keys/rotate-api-key-body.ts';
import { rotateApiKey } from '#shared/core/keys/rotate-api-key.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { apiKeyIdOf } from './api-key-id.ts';
import { refuseQuery } from './refuse-query.ts';

/** 201 with the successor, this one time. */
export function rotateApiKeyRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    refuseQuery(request);
    const keyId = apiKeyIdOf(request);
    const { overlapHours } = parseRotateApiKeyBody(request.body);
    const created = await rotateApiKey(ctx.core, caller, { keyId, overlapHours });
    return reply.status(201).send(toWireCreatedApiKey(created));
  };
}
