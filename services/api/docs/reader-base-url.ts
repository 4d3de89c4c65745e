import type { FastifyRequest } from 'fastify';

const hostPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/;

/**
 * The address at which the reader of a page reached this service, without a path: what they can paste elsewhere. The published address wins
 * when it names the same host and port, as it knows of a TLS proxy in between; it also stands in for a host that is no name of one.
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
