import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import { nearestName } from '#shared/domain/nearest.ts';

type KnownPath = { url: string; pattern: RegExp; methods: Set<string> };

/** Answers a request without a route, or returns null. */
export type Fallback = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;

/**
 * Answers unknown paths with 404 and the nearest path, and unknown methods with 405 and `Allow`, before the body is
 * read.
 */
export function registerNotFound(app: FastifyInstance, fallback: Fallback = () => null): void {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    // Paths of static files are not suggested.
    if (url.includes('*')) return;
    const known = paths.get(url) ?? { url, pattern: patternOf(url), methods: new Set<string>() };
    for (const one of [method].flat()) known.methods.add(one);
    paths.set(url, known);
  });
  const findKnown = (request: FastifyRequest): KnownPath | undefined => {
    const path = pathOf(request);
    return paths.get(path) ?? [...paths.values()].find(({ pattern }) => pattern.test(path));
  };
  const refuse = (request: FastifyRequest, reply: FastifyReply): never => {
    const known = findKnown(request);
    if (known === undefined) {
      const nearest = nearestName(pathOf(request).slice(0, 200), [...paths.keys()].map(publicPath));
      throw new LandfallError(
        'route_not_found',
        `Path not found.${nearest === null ? '' : ` Did you mean ${nearest}?`}`,
      );
    }
    const allowed = [...known.methods].join(', ');
    reply.header('allow', allowed);
    throw new LandfallError('method_not_allowed', `${publicPath(known.url)} supports ${allowed}.`);
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    // Requests that the fallback answers are done: later hooks don't see them.
    if (findKnown(request) !== undefined || fallback(request, reply) === null) refuse(request, reply);
  });
  app.setNotFoundHandler(refuse);
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

/** As in the OpenAPI document. */
function publicPath(url: string): string {
  return url.replace(/:([a-z_]+)/g, '{$1}');
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[a-z_]+/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}
