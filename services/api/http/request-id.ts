import { randomFillSync } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { encodeTypeId, uuidv7 } from '#shared/domain/type-id.ts';
import { currentTraceId } from '#shared/telemetry/events.ts';

const idBytes = 10;
/** Random bytes of the next ids. Reading them from the system one id at a time costs more than creating the id. */
const random = { bytes: Buffer.alloc(idBytes * 256), used: Number.POSITIVE_INFINITY };

/** `req_` followed by 26 characters, ordered by time. Request ids sent by clients are ignored. */
export function newRequestId(): string {
  return encodeTypeId('req', uuidv7(Date.now(), nextRandomBytes()));
}

/** Headers of every response: the ids for support, no caching and no content sniffing. */
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
