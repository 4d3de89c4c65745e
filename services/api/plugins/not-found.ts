import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import { nearestName } from '#shared/domain/nearest.ts';

type KnownPath = { url: string; pattern: RegExp; methods: Set<string> };

/** Answers what no route does, or gives null. */
export type Fallback = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;

/** Tells an unknown address (404, with the nearest one) from a known one with another method (405, with `Allow`), before the body is read. */
export function registerNotFound(app: FastifyInstance, fallback: Fallback = () => null): void {
  const paths = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    // Files: what is under there is the build's, and no address to propose.
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
        `There is nothing at this address${nearest === null ? '' : `; did you mean ${nearest}?`}`,
      );
    }
    const allowed = [...known.methods].join(', ');
    reply.header('allow', allowed);
    throw new LandfallError('method_not_allowed', `${publicPath(known.url)} takes ${allowed}`);
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    // What the fallback answered is answered: the hooks after this one see nothing of it.
    if (findKnown(request) !== undefined || fallback(request, reply) === null) refuse(request, reply);
  });
  app.setNotFoundHandler(refuse);
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

/** As the document writes it. */
function publicPath(url: string): string {
  return url.replace(/:([a-z_]+)/g, '{$1}');
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[a-z_]+/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}
