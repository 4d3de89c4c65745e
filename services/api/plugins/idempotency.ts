import { createHash } from 'node:crypto';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';

const keyPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** Adds the `Idempotency-Key` and a hash of the raw body to the caller. Core stores the result. */
export function registerIdempotency(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const key = request.headers['idempotency-key'];
    if (key === undefined || request.caller === null || !isIdempotent(request.routeOptions.config.operation))
      return done();
    if (typeof key !== 'string' || !keyPattern.test(key)) {
      throw new LandfallError('validation_failed', 'Idempotency-Key must have 1 to 255 visible ASCII characters.');
    }
    const bodyHash = createHash('sha256')
      .update(request.rawBody ?? '')
      .digest('hex');
    request.caller = {
      ...request.caller,
      idempotency: { key, bodyHash, route: `${request.method} ${request.routeOptions.url}` },
    };
    done();
  });
}

function isIdempotent(operation: FastifyContextConfig['operation']): boolean {
  return operation !== undefined && operation.access !== 'session' && operation.idempotent === true;
}
