import type { FastifyInstance } from 'fastify';

/**
 * While the process still serves requests before it stops, each response closes its connection, so that clients and
 * proxies open their next one elsewhere.
 */
export function registerDraining(app: FastifyInstance, stopping: AbortSignal): void {
  // With a callback: a promise for each response would cost more than the check.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping.aborted) reply.header('connection', 'close');
    done();
  });
}
