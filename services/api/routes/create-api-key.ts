import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireCreatedApiKey } from '#shared/contract/keys/api-key-wire.ts';
import { parseCreateApiKeyBody } from '#shared/contract/keys/create-api-key-body.ts';
import { createApiKeyFor } from '#shared/core/keys/create-api-key.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { refuseQuery } from './refuse-query.ts';

/** 201 with the key, this one time. */
export function createApiKeyRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    refuseQuery(request);
    if (request.body === undefined) throw new LandfallError('invalid_json', 'The body is empty; send a JSON object');
    const created = await createApiKeyFor(ctx.core, caller, parseCreateApiKeyBody(request.body));
    return reply.status(201).send(toWireCreatedApiKey(created));
  };
}
