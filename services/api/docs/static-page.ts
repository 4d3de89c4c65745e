import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, matchesTag } from '../plugins/entity-tag.ts';

/** Something that is the same for everybody until the next version. */
export type StaticPage = { mediaType: string; plain: Buffer; gzip: Buffer; etag: string };

/** Nothing from or to another host; styles inline because the reader writes its own. */
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

export function staticPage(mediaType: string, text: string): StaticPage {
  const plain = Buffer.from(text);
  return { mediaType, plain, gzip: gzipSync(plain), etag: entityTag(plain) };
}

/** Answers with the page, compressed when the client reads that, or with 304. */
export function sendStaticPage(request: FastifyRequest, reply: FastifyReply, page: StaticPage): FastifyReply {
  reply.headers({
    etag: page.etag,
    'cache-control': 'public, max-age=300',
    vary: 'accept-encoding',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
  if (matchesTag(request.headers['if-none-match'], page.etag)) return reply.status(304).send();
  reply.header('content-type', page.mediaType);
  if (!/\bgzip\b(?!;q=0(?:\.0*)?(?:,|$))/.test(request.headers['accept-encoding'] ?? '')) return reply.send(page.plain);
  return reply.header('content-encoding', 'gzip').send(page.gzip);
}
