import fastify, { type FastifyInstance } from 'fastify';
import type { ApiContext } from './context.ts';
import { registerDashboard } from './dashboard/register-dashboard.ts';
import { authenticateRequest, registerAuthentication, registerScopeCheck } from './plugins/authenticate.ts';
import { registerBodyDeadline } from './plugins/body-deadline.ts';
import { registerDocs } from './plugins/docs.ts';
import { answerClientError, failureOf, registerErrors, sendProblem } from './plugins/errors.ts';
import { registerIdempotency } from './plugins/idempotency.ts';
import { registerJsonBody } from './plugins/json-body.ts';
import { registerNegotiation } from './plugins/negotiation.ts';
import { registerNotFound } from './plugins/not-found.ts';
import { limitRequest, registerRateLimit } from './plugins/rate-limit.ts';
import { newRequestId, registerRequestId } from './plugins/request-id.ts';
import { type OperationMount, serveOperation } from './plugins/serve-operation.ts';
import { admitPerson, registerSession } from './plugins/session.ts';
import { registerRequestLog, registerTrace } from './plugins/trace.ts';
import { registerWebApp, serveWebApp } from './plugins/web-app.ts';
import { advanceTestShipmentRoute } from './routes/advance-test-shipment.ts';
import { archiveShipmentRoute } from './routes/archive-shipment.ts';
import { cancelShipmentRoute } from './routes/cancel-shipment.ts';
import { countShipmentsRoute } from './routes/count-shipments.ts';
import { createApiKeyRoute } from './routes/create-api-key.ts';
import { createImportRoute } from './routes/create-import.ts';
import { detectCarriersRoute } from './routes/detect-carriers.ts';
import { exportShipmentsRoute } from './routes/export-shipments.ts';
import { getCarrierRoute } from './routes/get-carrier.ts';
import { getImportRoute } from './routes/get-import.ts';
import { getImportErrorsRoute } from './routes/get-import-errors.ts';
import { getMeRoute } from './routes/get-me.ts';
import { getShipmentRoute } from './routes/get-shipment.ts';
import { livezRoute, readyzRoute } from './routes/health.ts';
import { listApiKeysRoute } from './routes/list-api-keys.ts';
import { listCarriersRoute } from './routes/list-carriers.ts';
import { listChangesRoute } from './routes/list-changes.ts';
import { listEventsRoute } from './routes/list-events.ts';
import { listRefreshesRoute } from './routes/list-refreshes.ts';
import { listShipmentsRoute } from './routes/list-shipments.ts';
import { mcpErrorHandler, mcpOnRequest, mcpRoute } from './routes/mcp.ts';
import { registerHooks } from './routes/receive-delivery.ts';
import { refreshShipmentRoute } from './routes/refresh-shipment.ts';
import { registerBatchRoute } from './routes/register-batch.ts';
import { registerShipmentRoute } from './routes/register-shipment.ts';
import { removeCarrierCredentialsRoute } from './routes/remove-carrier-credentials.ts';
import { resumeShipmentRoute } from './routes/resume-shipment.ts';
import { revokeApiKeyRoute } from './routes/revoke-api-key.ts';
import { rotateApiKeyRoute } from './routes/rotate-api-key.ts';
import { setCarrierCredentialsRoute } from './routes/set-carrier-credentials.ts';
import { stopShipmentRoute } from './routes/stop-shipment.ts';
import { updateShipmentRoute } from './routes/update-shipment.ts';

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
    trustProxy: ctx.settings.trustedProxies.length > 0 && [...ctx.settings.trustedProxies],
    // `registerBodyDeadline` does it, which an import is let off.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      headersTimeout: headersTimeoutMs,
      requestTimeout: 0,
      connectionsCheckingInterval: connectionsCheckingIntervalMs,
    },
    // Requests on open connections are still answered while the server closes, each with `connection: close`.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: bodyLimitBytes },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      // Fastify gives such a request none of the fields that the plugins declare.
      request.person = null;
      const admitted = authenticateRequest(ctx, request, reply)
        .then(() => admitPerson(ctx, request, reply))
        .then(() => limitRequest(ctx, request, reply));
      admitted.then(
        () => sendProblem(reply, failureOf(error, request, ctx.logger)),
        (refused: unknown) => sendProblem(reply, failureOf(refused, request, ctx.logger)),
      );
    },
  });
  registerBodyDeadline(app, requestTimeoutMs);
  registerErrors(app, ctx.logger);
  registerRequestId(app);
  registerTrace(app);
  registerAuthentication(app, ctx);
  registerSession(app, ctx);
  registerRateLimit(app, ctx);
  registerScopeCheck(app);
  registerRequestLog(app, ctx.logger);
  registerNegotiation(app);
  registerNotFound(app, (request, reply) => serveWebApp(ctx.settings.webAppFolder, request, reply));
  registerJsonBody(app);
  registerIdempotency(app);

  registerDocs(app, ctx);
  app.get('/livez', livezRoute());
  app.get('/readyz', readyzRoute(ctx));
  registerHooks(app, ctx);
  serveOperations(app, ctx);
  serveOperation(app, 'getMe', getMeRoute(ctx));
  serveOperation(app, 'mcp', mcpRoute(ctx), {
    config: { anyAccept: true },
    onRequest: mcpOnRequest(ctx),
    errorHandler: mcpErrorHandler(ctx),
  });
  // Whoever is signed in may do the same as with a key.
  serveOperations(app, ctx, { behindSession: true });
  registerDashboard(app, ctx);
  registerWebApp(app, ctx);
  return app;
}

/** Every operation but MCP and what tells a key about itself, one line each. */
function serveOperations(app: FastifyInstance, ctx: ApiContext, mount: OperationMount = {}): void {
  serveOperation(app, 'registerShipment', registerShipmentRoute(ctx), mount);
  serveOperation(app, 'registerBatch', registerBatchRoute(ctx), mount);
  serveOperation(app, 'createImport', createImportRoute(ctx), mount);
  serveOperation(app, 'getImport', getImportRoute(ctx), mount);
  serveOperation(app, 'getImportErrors', getImportErrorsRoute(ctx), mount);
  serveOperation(app, 'listShipments', listShipmentsRoute(ctx), mount);
  serveOperation(app, 'countShipments', countShipmentsRoute(ctx), mount);
  serveOperation(app, 'exportShipments', exportShipmentsRoute(ctx), { ...mount, config: { anyAccept: true } });
  serveOperation(app, 'getShipment', getShipmentRoute(ctx), mount);
  serveOperation(app, 'updateShipment', updateShipmentRoute(ctx), mount);
  serveOperation(app, 'archiveShipment', archiveShipmentRoute(ctx), mount);
  serveOperation(app, 'refreshShipment', refreshShipmentRoute(ctx), mount);
  serveOperation(app, 'stopShipment', stopShipmentRoute(ctx), mount);
  serveOperation(app, 'resumeShipment', resumeShipmentRoute(ctx), mount);
  serveOperation(app, 'cancelShipment', cancelShipmentRoute(ctx), mount);
  serveOperation(app, 'listApiKeys', listApiKeysRoute(ctx), mount);
  serveOperation(app, 'createApiKey', createApiKeyRoute(ctx), mount);
  serveOperation(app, 'rotateApiKey', rotateApiKeyRoute(ctx), mount);
  serveOperation(app, 'revokeApiKey', revokeApiKeyRoute(ctx), mount);
  serveOperation(app, 'listShipmentEvents', listEventsRoute(ctx), mount);
  serveOperation(app, 'listShipmentRefreshes', listRefreshesRoute(ctx), mount);
  serveOperation(app, 'listChanges', listChangesRoute(ctx), mount);
  serveOperation(app, 'listCarriers', listCarriersRoute(ctx), mount);
  serveOperation(app, 'detectCarriers', detectCarriersRoute(), mount);
  serveOperation(app, 'setCarrierCredentials', setCarrierCredentialsRoute(ctx), mount);
  serveOperation(app, 'removeCarrierCredentials', removeCarrierCredentialsRoute(ctx), mount);
  serveOperation(app, 'getCarrier', getCarrierRoute(ctx), mount);
  serveOperation(app, 'advanceTestShipment', advanceTestShipmentRoute(ctx), mount);
}
