import fastify, { type FastifyInstance } from 'fastify';
import type { ApiContext } from './context.ts';
import { registerDocs } from './docs/docs-plugin.ts';
import { registerBodyDeadline } from './http/body-deadline.ts';
import { registerCompression } from './http/compression.ts';
import { registerConnectionLimits } from './http/connection-limits.ts';
import { answerClientError, failureOf, registerErrors, sendProblem } from './http/errors.ts';
import { warnOfUntrustedProxy } from './http/forwarded-for.ts';
import { registerNegotiation } from './http/negotiation.ts';
import { registerNotFound } from './http/not-found.ts';
import { registerPrecondition } from './http/precondition.ts';
import { registerReplyDeadline, replyStallMs } from './http/reply-deadline.ts';
import { newRequestId, registerRequestId } from './http/request-id.ts';
import { registerUnreadResponses, unreadLimits } from './http/unread-responses.ts';
import { registerOauth } from './oauth/oauth-routes.ts';
import { authenticateRequest, registerAuthentication, registerScopeCheck } from './plugins/authenticate.ts';
import { registerIdempotency } from './plugins/idempotency.ts';
import { registerJsonBody } from './plugins/json-body.ts';
import { registerMemoryShare } from './plugins/memory-share.ts';
import { limitRequest, registerRateLimit } from './plugins/rate-limit.ts';
import { serveOperations } from './plugins/serve.ts';
import { admitPerson, registerSession } from './plugins/session.ts';
import { registerRequestLog, registerTrace } from './plugins/trace.ts';
import { registerWebApp, serveWebApp } from './plugins/web-app.ts';
import { registerHooks } from './routes/carrier-deliveries.ts';
import { livezRoute, readyzRoute } from './routes/health.ts';
import { isSharedAddress, registerSharedPages, sendNotFound } from './routes/shared-pages.ts';
import { registerUnsubscribe } from './routes/unsubscribe.ts';
import { routes } from './routes.ts';

const bodyLimitBytes = 65_536;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/**
 * Interval at which Node checks connections for timeouts. Its default of 30 s would let slow senders stay that much
 * longer.
 */
const connectionsCheckingIntervalMs = 1000;
const keepAliveTimeoutMs = 65_000;

/** Builds the HTTP server: plugins in the order in which they see a request, then the routes. */
export function buildServer(ctx: ApiContext): FastifyInstance {
  const app: FastifyInstance = fastify({
    logger: false,
    genReqId: newRequestId,
    bodyLimit: bodyLimitBytes,
    trustProxy: ctx.settings.trustedProxies.length > 0 && [...ctx.settings.trustedProxies],
    // `registerBodyDeadline` enforces it instead, because imports are exempt.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      requestTimeout: 0,
      connectionsCheckingInterval: connectionsCheckingIntervalMs,
    },
    // While the server shuts down, requests on open connections are still answered, with `connection: close`.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: bodyLimitBytes },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      // Fastify adds none of the plugins' fields to such a request.
      request.person = null;
      if (isSharedAddress(request.raw.url ?? '')) {
        sendNotFound({ ctx, request, reply }).catch((refused: unknown) =>
          sendProblem(reply, failureOf(refused, request, ctx.logger)),
        );
        return;
      }
      const admitted = authenticateRequest(ctx, request, reply)
        .then(() => admitPerson(ctx, request, reply))
        .then(() => limitRequest(ctx, request, reply));
      admitted.then(
        () => sendProblem(reply, failureOf(error, request, ctx.logger)),
        (refused: unknown) => sendProblem(reply, failureOf(refused, request, ctx.logger)),
      );
    },
  });
  registerDraining(app, ctx.stopping);
  registerBodyDeadline(app, requestTimeoutMs);
  registerReplyDeadline(app, replyStallMs);
  registerErrors(app, ctx.logger);
  registerRequestId(app);
  registerTrace(app);
  warnOfUntrustedProxy(app, ctx.logger);
  registerConnectionLimits(app, ctx.settings, ctx.logger);
  registerUnreadResponses(app, unreadLimits);
  registerAuthentication(app, ctx);
  registerSession(app, ctx);
  registerRateLimit(app, ctx);
  registerScopeCheck(app);
  registerRequestLog(app, ctx.logger);
  registerNegotiation(app);
  registerNotFound(app, (request, reply) => serveWebApp(ctx.settings.webAppFolder, request, reply));
  registerMemoryShare(app, ctx);
  registerJsonBody(app);
  registerIdempotency(app);
  registerPrecondition(app);
  registerCompression(app);

  registerDocs(app, ctx);
  app.get('/livez', livezRoute(ctx));
  app.get('/readyz', readyzRoute(ctx));
  registerHooks(app, ctx);
  registerSharedPages(app, ctx);
  registerUnsubscribe(app, ctx);
  registerOauth(app, ctx);
  serveOperations(app, ctx, routes);
  registerWebApp(app, ctx);
  return app;
}

/**
 * While the process still serves requests before it stops, each response closes its connection, so that clients and
 * proxies open their next one elsewhere.
 */
function registerDraining(app: FastifyInstance, stopping: AbortSignal): void {
  // With a callback: a promise for each response would cost more than the check.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping.aborted) reply.header('connection', 'close');
    done();
  });
}
