import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends the address of the next page in `Link`: the request's own, with `cursor`. Nothing on the last page. */
export function linkNextPage(request: FastifyRequest, reply: FastifyReply, cursor: string | null): void {
  if (cursor === null) return;
  // A query may have question marks of its own.
  const [path = '', query = ''] = request.url.split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  reply.header('link', `<${path}?${parameters}>; rel="next"`);
}
