import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireCandidate } from '#shared/contract/carriers/carrier-wire.ts';
import { parseDetectBody } from '#shared/contract/carriers/detect-body.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { detectCarriers } from '#shared/domain/registration/detect-carriers.ts';
import { refuseQuery } from './refuse-query.ts';

/** What numbers tell about their carriers. */
export function detectCarriersRoute() {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    refuseQuery(request);
    if (request.body === undefined) throw new LandfallError('invalid_json', 'The body is empty; send a JSON object');
    const { numbers, transportMode } = parseDetectBody(request.body);
    const data = numbers.map((number) => ({
      number,
      candidates: detectCarriers(number, transportMode).map(toWireCandidate),
    }));
    return reply.send({ data });
  };
}
