import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { encodeTypeId, uuidv7 } from '#shared/domain/type-id.ts';
import { currentTraceId } from '#shared/telemetry/events.ts';

/** `req_` and 26 characters, in the order of time. A client's own request id is not taken over. */
export function newRequestId(): string {
  return encodeTypeId('req', uuidv7(Date.now(), randomBytes(10)));
}

/** Headers of every answer: the ids to report a problem with, and that nothing is kept by caches or guessed by browsers. */
export function registerRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const traceId = currentTraceId();
    if (traceId !== null) reply.header('x-trace-id', traceId);
    done();
  });
}
