import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a client may take none of a response. */
export const replyStallMs = 30_000;

/**
 * Ends connections whose client stops reading: one that takes nothing of a response for `stallMs`. Otherwise they would
 * hold the response, its source and buffers of the kernel forever. A client that reads slowly keeps its connection, and
 * so does one that waits for an answer.
 */
export function registerReplyDeadline(app: FastifyInstance, stallMs: number): void {
  const unanswered = new WeakMap<Socket, number>();
  const count = (socket: Socket, change: 1 | -1) => unanswered.set(socket, (unanswered.get(socket) ?? 0) + change);
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  // Node calls a socket idle if nothing was received and nothing left its write queue for so long.
  app.server.setTimeout(stallMs);
  app.server.on('timeout', (socket: Socket) => {
    // A reset frees what the kernel holds, too. After `destroy`, the kernel would go on trying to deliver it.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else if ((unanswered.get(socket) ?? 0) > 0) socket.setTimeout(stallMs);
    else socket.destroy();
  });
}
