import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { acceptedRanges } from '#shared/contract/input/accepted-ranges.ts';
import { LandfallError } from '#shared/domain/errors.ts';

const maxUrlBytes = 8192;
const json = ['application/json', 'application/problem+json'];

/** Refuses requests that can't be answered or parsed, before the body is read. */
export function registerNegotiation(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (Buffer.byteLength(request.raw.url ?? '') > maxUrlBytes)
      throw new LandfallError('uri_too_long', 'The URL exceeds 8 KiB.');
    if (request.is404) return done();
    refuseUnreadableQuery(request);
    const encoding = request.headers['content-encoding'];
    const isStreamed = request.routeOptions.config.operation?.body?.maxBytes === null;
    if (encoding !== undefined && encoding !== 'identity' && !(isStreamed && encoding === 'gzip')) {
      const allowed = isStreamed
        ? 'Only gzip is accepted as Content-Encoding.'
        : 'Send the body without Content-Encoding.';
      throw new LandfallError('unsupported_media_type', allowed);
    }
    if (request.routeOptions.config.anyAccept === true) return done();
    if (request.headers.accept === undefined) return done();
    const { served, ranges } = answeredTypes(request.routeOptions.config.operation);
    if (!(acceptedRanges(request.headers.accept)?.some((range) => ranges.has(range)) ?? true)) {
      throw new LandfallError(
        'not_acceptable',
        `This endpoint returns ${served.join(' or ')}. Allow it in the Accept header.`,
      );
    }
    done();
  });
}

/**
 * The query parser replaces invalid bytes with U+FFFD, and schemas don't see `__proto__`: both would silently be
 * ignored.
 */
function refuseUnreadableQuery(request: FastifyRequest): void {
  const url = request.raw.url ?? '';
  if (!url.includes('?')) return;
  const [, query = ''] = url.split(/\?(.*)/s, 2);
  if (query === '') return;
  try {
    decodeURIComponent(query);
  } catch {
    throw new LandfallError('validation_failed', 'The query is not valid percent-encoded UTF-8.');
  }
  if (Object.hasOwn(Object(request.query), '__proto__')) {
    const detail = 'Unknown parameter: __proto__.';
    throw new LandfallError('unknown_parameter', detail, {
      mistakes: [{ pointer: '?__proto__', code: 'unknown_parameter', detail }],
    });
  }
}

type AnsweredTypes = { served: readonly string[]; ranges: ReadonlySet<string> };

const jsonAnswers = withRanges(['application/json']);
const answeredByOperation = new WeakMap<object, AnsweredTypes>();

/** The media types of an operation and the ranges that accept one. Found once: most clients send `Accept`. */
function answeredTypes(operation: FastifyContextConfig['operation']): AnsweredTypes {
  if (operation === undefined) return jsonAnswers;
  const known = answeredByOperation.get(operation);
  if (known !== undefined) return known;
  const types = Object.values(operation.answers).flatMap(({ mediaType = 'application/json', moreMediaTypes = [] }) => [
    mediaType,
    ...moreMediaTypes,
  ]);
  const found = types.length === 0 ? jsonAnswers : withRanges([...new Set(types)]);
  answeredByOperation.set(operation, found);
  return found;
}

/** Clients that accept only problem documents are served too. */
function withRanges(served: readonly string[]): AnsweredTypes {
  const ranges = new Set(['*/*', ...json, ...served.flatMap((type) => [type, `${type.split('/', 1)[0]}/*`])]);
  return { served, ranges };
}
