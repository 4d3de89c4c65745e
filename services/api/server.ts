import fastify, { type FastifyInstance } from 'fastify';
import { mcpOperation } from '#shared/contract/operations/mcp-operation.ts';
import {
  getShipmentOperation,
  listShipmentsOperation,
  registerShipmentOperation,
} from '#shared/contract/operations/shipment-operations.ts';
import type { ApiContext } from './context.ts';
import { authenticateRequest, registerAuthentication } from './plugins/authenticate.ts';
import { answerClientError, failureOf, registerErrors, sendProblem } from './plugins/errors.ts';
import { registerIdempotency } from './plugins/idempotency.ts';
import { registerJsonBody } from './plugins/json-body.ts';
import { registerNegotiation } from './plugins/negotiation.ts';
import { registerNotFound } from './plugins/not-found.ts';
import { newRequestId, registerRequestId } from './plugins/request-id.ts';
import { serveOperation } from './plugins/serve-operation.ts';
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
  serveOperation(app, registerShipmentOperation, registerShipmentRoute(ctx));
  serveOperation(app, listShipmentsOperation, listShipmentsRoute(ctx));
  serveOperation(app, getShipmentOperation, getShipmentRoute(ctx));
  serveOperation(app, mcpOperation, mcpRoute(ctx), { config: { anyAccept: true }, errorHandler: mcpErrorHandler(ctx) });
  return app;
}
