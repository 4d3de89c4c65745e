import fastify, { type FastifyInstance } from 'fastify';
import type { ApiContext } from './context.ts';
import { authenticateRequest, registerAuthentication } from './plugins/authenticate.ts';
import { answerClientError, failureOf, registerErrors, sendProblem } from './plugins/errors.ts';
import { registerIdempotency } from './plugins/idempotency.ts';
import { registerJsonBody } from './plugins/json-body.ts';
import { registerNegotiation } from './plugins/negotiation.ts';
import { registerNotFound } from './plugins/not-found.ts';
import { newRequestId, registerRequestId } from './plugins/request-id.ts';
import { registerRequestLog, registerTrace } from './plugins/trace.ts';
import { getShipmentRoute } from './routes/get-shipment.ts';
import { livezRoute, readyzRoute } from './routes/health.ts';
import { listShipmentsRoute } from './routes/list-shipments.ts';
import { mcpErrorHandler, mcpRoute } from './routes/mcp.ts';
import { registerShipmentRoute } from './routes/register-shipment.ts';

const bodyLimitBytes = 65_536;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** How often Node looks for connections past those two; its default is 30 s, which would let a slow sender stay that much longer. */
const connectionsCheckingIntervalMs = 1000;
const keepAliveTimeoutMs = 65_000;

/** The HTTP server: what happens to every request, in order, then the routes. Not listening yet. */
export function buildServer(ctx: ApiContext): FastifyInstance {
  const app: FastifyInstance = fastify({
    logger: false,
    genReqId: newRequestId,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: connectionsCheckingIntervalMs,
    },
    // Requests on open connections are still answered while the server closes, each with `connection: close`.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: bodyLimitBytes },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      authenticateRequest(ctx, request).then(
        () => sendProblem(reply, failureOf(error, request, ctx.logger)),
        (refused: unknown) => sendProblem(reply, failureOf(refused, request, ctx.logger)),
      );
    },
  });
  registerErrors(app, ctx.logger);
  registerRequestId(app);
  registerTrace(app);
  registerAuthentication(app, ctx);
  registerRequestLog(app, ctx.logger);
  registerNegotiation(app);
  registerNotFound(app);
  registerJsonBody(app);
  registerIdempotency(app);

  app.get('/livez', livezRoute());
  app.get('/readyz', readyzRoute(ctx));
  app.post('/v1/shipments', { config: { scope: 'shipments:write', idempotent: true } }, registerShipmentRoute(ctx));
  app.get('/v1/shipments', { config: { scope: 'shipments:read' } }, listShipmentsRoute(ctx));
  app.get('/v1/shipments/:shipment_id', { config: { scope: 'shipments:read' } }, getShipmentRoute(ctx));
  app.post('/v1/mcp', { config: { scope: 'shipments:read', anyAccept: true }, errorHandler: mcpErrorHandler(ctx) }, mcpRoute(ctx));
  return app;
}
