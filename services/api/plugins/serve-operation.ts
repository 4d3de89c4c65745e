import type { FastifyInstance, RouteHandlerMethod, RouteShorthandOptions } from 'fastify';
import type { PublicOperation } from '#shared/contract/operation.ts';
import { type OperationIdOf, operations } from '#shared/contract/operations.ts';

/** Where operations are served: behind a key under /v1, or behind a session under /dashboard/api/v1. */
export type OperationMount = { behindSession?: boolean };

/** Routes one operation of the contract: its address, scope, allowance and body limit come from there. */
export function serveOperation(
  app: FastifyInstance,
  id: OperationIdOf<'key' | 'key_or_session'>,
  handler: RouteHandlerMethod,
  {
    behindSession = false,
    ...options
  }: OperationMount & Pick<RouteShorthandOptions, 'errorHandler' | 'config' | 'onRequest'> = {},
): void {
  const operation: PublicOperation = { ...operations[id], id };
  const maxBytes = operation.body?.maxBytes;
  app.route({
    method: operation.method,
    url: `${behindSession ? '/dashboard/api' : ''}${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ...options,
    ...(maxBytes === undefined ? {} : { bodyLimit: maxBytes ?? Number.MAX_SAFE_INTEGER }),
    config: { ...options.config, operation, ...(behindSession ? { dashboard: { access: 'viewer' } } : {}) },
    handler,
  });
}
