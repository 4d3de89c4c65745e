import type { FastifyInstance } from 'fastify';
import type { Logger } from '#shared/telemetry/logger.ts';

/**
 * Warns once if a proxy that `TRUST_PROXY` doesn't name sends `X-Forwarded-For`: its clients would share one address,
 * and with it the limits of that address. A client can send the header too, so it is no reason to refuse a request.
 */
export function warnOfUntrustedProxy(app: FastifyInstance, logger: Logger): void {
  let isStated = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (isStated || request.headers['x-forwarded-for'] === undefined) return done();
    // The first address is the peer's, and further ones are there only if the peer is trusted.
    if ((request.ips?.length ?? 1) > 1) return done();
    isStated = true;
    logger.warn(
      { peer: request.socket.remoteAddress },
      'X-Forwarded-For ignored: its sender is not in TRUST_PROXY, so all its clients share the limits of one address',
    );
    done();
  });
}
