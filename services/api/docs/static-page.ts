import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, matchesTag } from '../http/answer-headers.ts';
import { acceptedCoding } from '../http/compression.ts';

/** A page that stays the same until the next release. `isShared`: for everyone, so that shared caches may keep it. */
export type StaticPage = {
  mediaType: string;
  plain: Buffer;
  br: Buffer;
  gzip: Buffer;
  etag: string;
  isShared: boolean;
  /** True when the address has another form for other `Accept` headers. */
  isNegotiated?: boolean;
};

/** No other hosts. Inline styles are allowed, because the API reference writes its own. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Compresses the page once, off this thread: the reader's script has 4 MB. */
export async function staticPage(mediaType: string, text: string, { isShared = true } = {}): Promise<StaticPage> {
  const plain = Buffer.from(text);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(plain),
  ]);
  return { mediaType, plain, br, gzip: gzipped, etag: entityTag(plain), isShared };
}

/** Sends the page, compressed if the client accepts it, or 304. */
export function sendStaticPage(request: FastifyRequest, reply: FastifyReply, page: StaticPage): FastifyReply {
  reply.headers({
    etag: page.etag,
    'cache-control': `${page.isShared ? 'public' : 'private'}, max-age=300`,
    vary: page.isNegotiated ? 'accept, accept-encoding' : 'accept-encoding',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
  if (matchesTag(request.headers['if-none-match'], page.etag)) return reply.status(304).send();
  reply.header('content-type', page.mediaType);
  const coding = acceptedCoding(request.headers['accept-encoding']);
  if (coding === null) return reply.send(page.plain);
  return reply.header('content-encoding', coding).send(page[coding]);
}
