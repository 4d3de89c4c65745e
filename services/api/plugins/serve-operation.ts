import type { FastifyInstance, RouteHandlerMethod, RouteShorthandOptions } from 'fastify';
import type { Operation } from '#shared/contract/operation.ts';

/** Routes one operation of the contract: its address, scope, allowance and body limit come from there. */
export function serveOperation(
  app: FastifyInstance,
  operation: Operation,
  handler: RouteHandlerMethod,
  options: Pick<RouteShorthandOptions, 'errorHandler' | 'config' | 'onRequest'> = {},
): void {
  const maxBytes = operation.body?.maxBytes;
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...options,
    ...(maxBytes === undefined ? {} : { bodyLimit: maxBytes ?? Number.MAX_SAFE_INTEGER }),
    config: { ...options.config, operation },
    handler,
  });
}
