import { randomFillSync } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { encodeTypeId, uuidv7 } from '#shared/domain/type-id.ts';
import { currentTraceId } from '#shared/telemetry/events.ts';

const idBytes = 10;
/** Random bytes of the next ids: asking the system for each id alone costs more than making it. */
const random = { bytes: Buffer.alloc(idBytes * 256), used: Number.POSITIVE_INFINITY };

/** `req_` and 26 characters, in the order of time. A client's own request id is not taken over. */
export function newRequestId(): string {
  return encodeTypeId('req', uuidv7(Date.now(), nextRandomBytes()));
}

/** Headers of every answer: the ids to report a problem with, and that nothing is kept by caches or guessed by browsers. */
export function registerRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const traceId = currentTraceId();
    if (traceId !== null) reply.header('x-trace-id', traceId);
    done();
  });
}

function nextRandomBytes(): Uint8Array {
  if (random.used + idBytes > random.bytes.length) {
    randomFillSync(random.bytes);
    random.used = 0;
  }
  random.used += idBytes;
  return random.bytes.subarray(random.used - idBytes, random.used);
}
