import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const closeIdleEveryMs = 100;

/**
 * Answers the requests in flight, then closes. Clients that still send after `cutOffMs` are cut off, so that the rest
 * of the process can close in order.
 */
export async function closeServer(app: FastifyInstance, cutOffMs: number): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), cutOffMs);
  // Before the port closes: Node closes idle connections with it, whatever has just arrived on them.
  await closeIdle(app);
  // Connections that become idle after their answer stay open otherwise.
  const idle = setInterval(() => void closeIdle(app), closeIdleEveryMs);
  await app.close();
  clearInterval(idle);
  clearTimeout(cutOff);
}

/**
 * Closes idle connections once everything that has arrived is read: a connection with a new request isn't idle then.
 */
async function closeIdle({ server }: FastifyInstance): Promise<void> {
  // The event loop reads what has arrived between two of its turns.
  await setImmediate();
  await setImmediate();
  server.closeIdleConnections();
}
