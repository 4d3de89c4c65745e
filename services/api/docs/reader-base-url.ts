import type { FastifyRequest } from 'fastify';

const hostPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/;

/**
 * The base URL that the reader of a page used, to be pasted elsewhere. If PUBLIC_BASE_URL has the same host and port,
 * it takes precedence, because it knows about a TLS proxy. It also replaces an invalid host.
 */
export function readerBaseUrl(request: Pick<FastifyRequest, 'protocol' | 'host'>, publicBaseUrl: string): string {
  const published = new URL(publicBaseUrl);
  const host = request.host.toLowerCase();
  if (!hostPattern.test(host) || isSameHost(`${published.protocol}//${host}`, published)) return published.origin;
  const reached = `${request.protocol}://${host}`;
  return URL.canParse(reached) ? new URL(reached).origin : published.origin;
}

function isSameHost(address: string, published: URL): boolean {
  return URL.canParse(address) && new URL(address).host === published.host;
}
