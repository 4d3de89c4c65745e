import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { taggedFor } from './answer-headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Compressed like the answers of operations. */
    isCompressed?: boolean;
  }
}

type Coding = 'br' | 'gzip';

/** Below this, the headers and the delay cost more than the bytes that are saved. */
const minBytes = 4096;
/** At 4, brotli takes about as long as gzip at 6, and JSON gets a tenth smaller. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compressible = /^(?:application\/(?:[\w.+-]+\+)?json|application\/x-ndjson|text\/(?:csv|html))\b/;

const compressBytes: Record<Coding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/**
 * Compresses the answers of operations and shared pages: whole ones from 4 KiB, streams always, because their size is unknown. A
 * compressed answer has an ETag of its own.
 */
export function registerCompression(app: FastifyInstance): void {
  // With a callback, because most answers are too small to be compressed, and a promise for each would cost more.
  app.addHook('onSend', (request, reply, payload, done) => {
    const compressing = compressed(request, reply, payload);
    if (!(compressing instanceof Promise)) return done(null, compressing);
    compressing.then((bytes) => done(null, bytes), done);
  });
}

/** The payload to send. A promise only for an answer that is compressed as a whole. */
function compressed(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const { operation, isCompressed } = request.routeOptions.config;
  // A page's errors are alike whether or not a route matched.
  const isPage = isCompressed === true && reply.statusCode === 200;
  if ((operation === undefined && !isPage) || reply.hasHeader('content-encoding')) return payload;
  const isUnchanged = reply.statusCode === 304;
  if (!isUnchanged && !compressible.test(String(reply.getHeader('content-type') ?? ''))) return payload;
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`);
  if (isUnchanged) return withHeldTag(request, reply, payload);
  if (request.method === 'HEAD') return payload;
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isWhole && !(payload instanceof Readable)) return payload;
  if (isWhole && Buffer.byteLength(payload) < minBytes) return payload;
  const coding = acceptedCoding(request.headers['accept-encoding']);
  if (coding === null) return payload;
  if (!isWhole) return marked(reply, coding, compressedStream(payload, coding));
  return compressBytes[coding](Buffer.from(payload as string)).then((bytes) => marked(reply, coding, bytes));
}

/** The coding that the client prefers, brotli where it has no preference. Null: neither is accepted. */
export function acceptedCoding(header: string | undefined): Coding | null {
  if (header === undefined) return null;
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
        const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
        return [name, weight === undefined ? 1 : Number(weight) || 0] as const;
      }),
  );
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [br, gzipped] = [weightOf('br'), weightOf('gzip')];
  if (br === 0 && gzipped === 0) return null;
  return br >= gzipped ? 'br' : 'gzip';
}

/** An error of the source destroys the result, so that the connection closes before the end of the answer. */
function compressedStream(source: Readable, coding: Coding): Readable {
  const compressor = coding === 'br' ? createBrotliCompress(brotliOptions) : createGzip();
  return pipeline(source, compressor, () => undefined);
}

function marked<Payload>(reply: FastifyReply, coding: Coding, payload: Payload): Payload {
  reply.header('content-encoding', coding);
  reply.removeHeader('content-length');
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string') reply.header('etag', taggedFor(etag, coding));
  return payload;
}

/** A 304 names the ETag that the client sent: that of the stored answer, compressed or not. */
function withHeldTag(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const etag = reply.getHeader('etag');
  const held = request.headers['if-none-match'] ?? '';
  if (typeof etag !== 'string' || held.includes(etag)) return payload;
  const coding = (['br', 'gzip'] as const).find((one) => held.includes(taggedFor(etag, one)));
  if (coding !== undefined) reply.header('etag', taggedFor(etag, coding));
  return payload;
}
