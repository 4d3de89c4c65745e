import { Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import type { MemoryShare } from '../open-memory-budget.ts';
import { drainUpload } from '../uploads/byte-source.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Share of the process's memory that the request may use. Null: it has no account, or its body is small. */
    memory: MemoryShare | null;
  }
}

/**
 * The share of a body that the operation reads as a whole is taken before the first byte is read. It is held until the
 * response is closed and the handler has ended: a client that disconnects does not end the reading of what it has sent.
 */
export function registerMemoryShare(app: FastifyInstance, ctx: ApiContext): void {
  app.decorateRequest('memory', null);
  app.addHook('preParsing', (request, reply, payload, done) => {
    const body = request.routeOptions.config.operation?.body;
    const isStreamed = body?.maxBytes === null;
    const held = body?.heldPerByte;
    if (request.caller === null || (held === undefined && !isStreamed)) return done(null, payload);
    const share = ctx.memory.open(request.caller.accountId);
    request.memory = share;
    const release = share.hold();
    // A client that disconnected during authentication emits no further event.
    if (reply.raw.closed) release();
    else reply.raw.once('close', release);
    if (held === undefined) return done(null, payload);
    const stated = request.headers['content-length'];
    if (stated === undefined)
      return done(
        null,
        counted(request, payload, (bytes) => share.grow(bytes * held)),
      );
    try {
      share.grow(Math.min(Number(stated), request.routeOptions.bodyLimit ?? 0) * held);
      done(null, payload);
    } catch (error) {
      refuse(request, error as Error, done);
    }
  });
}

/** Runs a handler that holds the memory of its request until it has ended. */
export async function withMemory<T>(request: FastifyRequest, run: () => Promise<T>): Promise<T> {
  const release = request.memory?.hold();
  try {
    return await run();
  } finally {
    release?.();
  }
}

/** A body without a stated length: its memory is taken as it arrives. */
function counted(request: FastifyRequest, payload: RequestPayload, take: (bytes: number) => void): RequestPayload {
  let left = request.routeOptions.bodyLimit ?? 0;
  const counting = new Transform({
    transform: (bytes: Buffer, _encoding, done) => {
      // A body over its limit is refused for that.
      const kept = Math.min(bytes.length, left);
      left -= kept;
      try {
        take(kept);
        done(null, bytes);
      } catch (error) {
        payload.unpipe(counting);
        refuse(request, error as Error, done);
      }
    },
  });
  payload.once('error', (error) => counting.destroy(error));
  // A client that disconnects ends its body without an end.
  request.raw.once('close', () => {
    if (!request.raw.complete) counting.destroy(new LandfallError('invalid_json', 'The body ended early.'));
  });
  return payload.pipe(counting);
}

/** A client that sends its whole file before it reads would get a broken connection in place of the response. */
function refuse(request: FastifyRequest, error: Error, done: (error: Error) => void): void {
  drainUpload(request.raw).then(() => done(error));
}
