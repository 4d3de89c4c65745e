import type { FastifyInstance } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of a JSON body. */
    rawBody: Buffer | null;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** JSON is the only media type, and it is UTF-8. */
export function registerJsonBody(app: FastifyInstance): void {
  app.decorateRequest('rawBody', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      request.rawBody = Buffer.from(body);
      done(null, parseJson(request.rawBody));
    } catch (error) {
      done(error instanceof Error ? error : new Error('not JSON'));
    }
  });
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new LandfallError('invalid_json', 'The body is empty; send JSON');
  const text = decode(bytes);
  try {
    // A key may be spelt with escapes, so these texts are only the sign to look closer.
    return /__proto__|\\u00/i.test(text) ? JSON.parse(text, refusePrototype) : JSON.parse(text);
  } catch (error) {
    if (error instanceof LandfallError) throw error;
    throw new LandfallError('invalid_json', 'The body is not valid JSON');
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new LandfallError('invalid_json', 'The body is not valid UTF-8');
  }
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new LandfallError('invalid_json', 'The body has a key __proto__, which is never read');
  return value;
}
