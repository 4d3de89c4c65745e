import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseCarrierCredentialsBody } from '#shared/contract/carriers/carrier-credentials-body.ts';
import { toWireCarrierCredentials } from '#shared/contract/carriers/carrier-credentials-wire.ts';
import { setCarrierCredentials } from '#shared/core/carriers/set-carrier-credentials.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { refuseQuery } from './refuse-query.ts';

/** 200 with the names of the fields that are set. */
export function setCarrierCredentialsRoute(ctx: ApiContext) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    refuseQuery(request);
    if (request.body === undefined) throw new LandfallError('invalid_json', 'The body is empty; send a JSON object');
    const { carrier_code: carrier } = request.params as { carrier_code: string };
    const credential = await setCarrierCredentials(ctx.core, caller, {
      carrier,
      values: parseCarrierCredentialsBody(request.body),
    });
    return reply.send(toWireCarrierCredentials(credential));
  };
}
