import type { FastifyInstance } from 'fastify';
import { taggedTextOf } from '#shared/contract/record/shipment-wire.ts';
import { entityTag, holdsTag } from './answer-headers.ts';

/** Adds `If-Match` to the caller. Core evaluates it on the locked shipment, so that no change can come in between. */
export function registerPrecondition(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const ifMatch = request.headers['if-match'];
    const { operation } = request.routeOptions.config;
    if (ifMatch === undefined || request.caller === null || operation === undefined) return done();
    if (!('errors' in operation) || !operation.errors.includes('precondition_failed')) return done();
    const precondition = (shipment: Parameters<typeof taggedTextOf>[0]) =>
      holdsTag(ifMatch, entityTag(taggedTextOf(shipment)));
    request.caller = { ...request.caller, precondition };
    done();
  });
}
