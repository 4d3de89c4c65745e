import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Time for which a client may accept no byte of a response. */
export const replyStallMs = 30_000;

/**
 * Ends connections whose client stops reading: one that takes nothing of a response for `stallMs`. Otherwise they would
 * hold the response, its source and buffers of the kernel forever. A client that reads slowly keeps its connection, and
 * so does one that waits for an answer.
 */
export function registerReplyDeadline(app: FastifyInstance, stallMs: number): void {
  // Responses of a connection end in order, so that the last one stands for all.
  const last = new WeakMap<Socket, ServerResponse>();
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    last.set(socket, response);
  });
  // Node calls a socket idle if nothing was received and nothing left its write queue for so long.
  app.server.setTimeout(stallMs);
  app.server.on('timeout', (socket: Socket) => {
    // A reset frees what the kernel holds, too. After `destroy`, the kernel would go on trying to deliver it.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else if (last.get(socket)?.writableFinished === false) socket.setTimeout(stallMs);
    else socket.destroy();
  });
}
