import type { FastifyInstance } from 'fastify';

/**
 * While the process still serves requests before it stops, each response closes its connection, so that clients and
 * proxies open their next one elsewhere.
 */
export function registerDraining(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close');
  });
}
