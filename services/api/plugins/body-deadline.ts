import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * A request's body must have arrived within `deadlineMs`. Node's own `requestTimeout` holds for every request of a server; this one can be
 * lifted for one that is meant to take long.
 */
export function registerBodyDeadline(app: FastifyInstance, deadlineMs: number): void {
  app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (length === '0' && encoding === undefined) return;
    const timer = setTimeout(() => {
      if (request.complete) return;
      const late = Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      if (response.headersSent) request.socket.destroy();
      else app.server.emit('clientError', late, request.socket);
    }, deadlineMs);
    deadlines.set(request, timer);
    request.once('close', () => clearTimeout(timer));
  });
}

/** The body of this request may take as long as it likes; whoever reads it watches that it goes on. */
export function liftBodyDeadline(request: IncomingMessage): void {
  clearTimeout(deadlines.get(request));
}
