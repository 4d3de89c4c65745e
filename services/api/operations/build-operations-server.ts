import fastify, { type FastifyInstance } from 'fastify';
import type { ApiContext } from '../context.ts';
import { registerErrors } from '../plugins/errors.ts';
import { registerNotFound } from '../plugins/not-found.ts';
import { newRequestId } from '../plugins/request-id.ts';
import { registerTrace } from '../plugins/trace.ts';
import { type OperationsGuard, registerOperationsGuard } from './guard.ts';
import { registerOperationsRoutes } from './operations-routes.ts';
import { registerTraceRoutes } from './traces-routes.ts';

export type OperationsOptions = {
  guard: OperationsGuard;
  /** Every metric in Prometheus's text format; null: none are collected. */
  readMetrics: () => Promise<string> | null;
};

/** The server of the operations port: `/metrics` and, guarded, the pages. It knows every account, so clients must not reach it. */
export function buildOperationsServer(ctx: ApiContext, { guard, readMetrics }: OperationsOptions): FastifyInstance {
  const app: FastifyInstance = fastify({ logger: false, genReqId: newRequestId, forceCloseConnections: true });
  registerErrors(app, ctx.logger);
  registerTrace(app);
  registerOperationsGuard(app, guard);
  registerNotFound(app);
  app.get('/', async (_request, reply) => reply.redirect('/operations', 303));
  app.get('/metrics', async (_request, reply) => {
    const metrics = await Promise.resolve(readMetrics()).catch(() => null);
    return reply
      .status(metrics === null ? 503 : 200)
      .headers({ 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' })
      .send(metrics ?? '# telemetry was not loaded or is turned off\n');
  });
  registerOperationsRoutes(app, ctx);
  registerTraceRoutes(app, ctx);
  return app;
}
