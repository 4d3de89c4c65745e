import type { FastifyInstance } from 'fastify';
import { annotateSpan, setHttpRoute } from '#shared/telemetry/events.ts';
import { recordSeconds } from '#shared/telemetry/instruments.ts';
import type { Logger } from '#shared/telemetry/logger.ts';

const unwatchedRoutes = new Set(['/livez', '/readyz']);
/** Unknown paths are chosen by the client and would create new series. */
const otherRoute = '_OTHER';

/** Names the span of a request after its route. */
export function registerTrace(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.url !== undefined) setHttpRoute(request.method, request.routeOptions.url);
    done();
  });
}

/**
 * After authentication: adds the account to the span. Then one log line and one measurement per request, without
 * headers, query and body.
 */
export function registerRequestLog(app: FastifyInstance, logger: Logger): void {
  // All fields are our own, so none has to be checked for secrets.
  const lines = logger.child({}, { redact: [] });
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.caller !== null) annotateSpan({ 'account.id': request.caller.accountId });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? null;
    if (route !== null && unwatchedRoutes.has(route)) return done();
    const isStream = request.routeOptions.config?.operation?.staysOpen === true && reply.statusCode === 200;
    if (!isStream)
      recordSeconds('http.server.request.duration', reply.elapsedTime / 1000, {
        'http.request.method': request.method,
        'http.route': route ?? otherRoute,
        'http.response.status_code': reply.statusCode,
      });
    lines.info(
      {
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(request.caller === null ? {} : { account_id: request.caller.accountId, key_id: request.caller.keyId }),
        ...(request.person === null ? {} : { user_id: request.person.user.id }),
      },
      'request',
    );
    done();
  });
}
