import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';

const longestUrlBytes = 8192;
const served = new Set(['*/*', 'application/*', 'application/json', 'application/problem+json']);

/** Refuses what could not be answered or read, before the body is read. */
export function registerNegotiation(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (Buffer.byteLength(request.raw.url ?? '') > longestUrlBytes)
      throw new LandfallError('uri_too_long', 'The address may have at most 8 KiB');
    if (request.is404) return;
    const encoding = request.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      throw new LandfallError('unsupported_media_type', 'Send the body without Content-Encoding');
    if (request.routeOptions.config.anyAccept !== true && !acceptsJson(request)) {
      throw new LandfallError('not_acceptable', 'Answers are application/json; Accept must allow that');
    }
  });
}

/** The media ranges of Accept that are not excluded by `q=0`; null without the header. */
export function acceptedRanges(request: FastifyRequest): string[] | null {
  const accept = request.headers.accept;
  if (accept === undefined || accept.trim() === '') return null;
  return accept
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
    .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)))
    .map(([range]) => range ?? '');
}

function acceptsJson(request: FastifyRequest): boolean {
  return acceptedRanges(request)?.some((range) => served.has(range)) ?? true;
}
