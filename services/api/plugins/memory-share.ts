import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';
import type { MemoryShare } from '../open-memory-budget.ts';
import { drainUpload } from '../uploads/byte-source.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request may hold of the process's memory. Null: it has no account, or its body is small. */
    memory: MemoryShare | null;
  }
}

/** For a body that the operation reads as a whole, its share is taken before the first byte is read. */
export function registerMemoryShare(app: FastifyInstance, ctx: ApiContext): void {
  app.decorateRequest('memory', null);
  app.addHook('preParsing', (request, reply, payload, done) => {
    const body = request.routeOptions.config.operation?.body;
    const isStreamed = body?.maxBytes === null;
    if (request.caller === null || (body?.heldPerByte === undefined && !isStreamed)) return done(null, payload);
    const share = ctx.memory.open(request.caller.accountId);
    request.memory = share;
    // A client that disconnected during authentication emits no further event.
    if (reply.raw.closed) share.release();
    else reply.raw.once('close', share.release);
    try {
      if (body?.heldPerByte !== undefined) share.grow(lengthOf(request) * body.heldPerByte);
      done(null, payload);
    } catch (error) {
      // A client that sends its whole file before it reads would get a broken connection in place of the response.
      drainUpload(request.raw).then(() => done(error as Error));
    }
  });
}

/** A length that the request doesn't state may be the largest. */
function lengthOf({ headers, routeOptions }: FastifyRequest): number {
  const most = routeOptions.bodyLimit ?? 0;
  const stated = Number(headers['content-length'] ?? most);
  return headers['content-encoding'] === undefined ? Math.min(stated, most) : most;
}
