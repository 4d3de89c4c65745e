import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

const deadline = Symbol('body deadline');
// A property: an entry of a WeakMap for each request costs three times as much as its timer.
type TimedRequest = IncomingMessage & { [deadline]?: NodeJS.Timeout };

/**
 * Requires the body of a request to arrive within `deadlineMs`. Unlike Node's `requestTimeout`, which applies to every
 * request of a server, it can be lifted for a long upload.
 */
export function registerBodyDeadline(app: FastifyInstance, deadlineMs: number): void {
  app.server.prependListener('request', (request: TimedRequest, response: ServerResponse) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (length === '0' && encoding === undefined) return;
    const timer = setTimeout(() => {
      if (request.complete) return;
      const late = Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      if (response.headersSent) request.socket.destroy();
      else app.server.emit('clientError', late, request.socket);
    }, deadlineMs);
    request[deadline] = timer;
    request.once('close', () => clearTimeout(timer));
  });
}

/** Lifts the deadline of a request. Its reader must make sure that the upload makes progress. */
export function liftBodyDeadline(request: TimedRequest): void {
  clearTimeout(request[deadline]);
}
