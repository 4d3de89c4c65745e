import fastify, { type FastifyInstance } from 'fastify';
import type { ApiContext } from '../context.ts';
import { registerErrors } from '../http/errors.ts';
import { registerNotFound } from '../http/not-found.ts';
import { registerReplyDeadline, replyStallMs } from '../http/reply-deadline.ts';
import { newRequestId } from '../http/request-id.ts';
import { registerTrace } from '../plugins/trace.ts';
import { type OperationsGuard, registerOperationsGuard } from './guard.ts';
import { registerOperationsRoutes } from './operations-routes.ts';

export type OperationsOptions = {
  guard: Omit<OperationsGuard, 'triesPerMinute'>;
  /** All metrics in Prometheus text format; null if none are collected. */
  readMetrics: () => Promise<string> | null;
};

/**
 * The server of the operations port: `/metrics` and, behind the guard, operations and traces of all accounts. Clients
 * of the API must not reach it.
 */
export function buildOperationsServer(ctx: ApiContext, { guard, readMetrics }: OperationsOptions): FastifyInstance {
  const app: FastifyInstance = fastify({ logger: false, genReqId: newRequestId, forceCloseConnections: true });
  registerReplyDeadline(app, replyStallMs);
  registerErrors(app, ctx.logger);
  registerTrace(app);
  const triesPerMinute = ctx.settings.failedSignInsPerMinute;
  registerOperationsGuard(app, { ...guard, triesPerMinute }, ctx.limiter);
  registerNotFound(app);
  app.get('/', async (_request, reply) => reply.redirect('/operations', 303));
  app.get('/metrics', async (_request, reply) => {
    const metrics = await Promise.resolve(readMetrics()).catch(() => null);
    return reply
      .status(metrics === null ? 503 : 200)
      .headers({ 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' })
      .send(metrics ?? '# telemetry is off or not loaded\n');
  });
  registerOperationsRoutes(app, ctx);
  return app;
}
