import process from 'node:process';
import fastify from 'fastify';
import { openApiContext } from '#services/api/context.ts';
import { registerAuthentication } from '#services/api/plugins/authenticate.ts';
import { registerRequestLog, registerTrace } from '#services/api/plugins/trace.ts';
import { readEnv } from '#shared/config/env.ts';
import { runMain } from '#shared/lifecycle.ts';

// A route with a precomputed answer behind Landfall's own key check, tracing, log line and metrics. It measures what a
// read costs when the only query is the key check.

const env = readEnv(process.env);
const answer = process.env.SAME_BYTES ?? '';

await runMain(
  async ({ signal, onDispose }) => {
    const ctx = await openApiContext(env, { signal });
    onDispose(ctx.close);
    const app = fastify();
    registerTrace(app);
    registerAuthentication(app, ctx);
    registerRequestLog(app, ctx.logger);
    app.get('/v1/shipments/:shipment_id', async (_request, reply) =>
      reply.header('content-type', 'application/json; charset=utf-8').send(answer),
    );
    const url = await app.listen({ host: env.HOST, port: env.PORT });
    onDispose(() => app.close());
    process.send?.({ type: 'ready', url });
  },
  { deadlineMs: 5000 },
);
