import type { FastifyRequest } from 'fastify';

/** The value of a cookie of the request, as it was sent. Null: there is none. */
export function readCookie(request: FastifyRequest, name: string): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}
