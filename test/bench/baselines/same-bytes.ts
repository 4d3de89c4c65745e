import { hash } from 'node:crypto';
import process from 'node:process';
import fastify from 'fastify';
import { openApiContext } from '#services/api/context.ts';
import { readEnv } from '#shared/config/env.ts';
import { authenticateKey } from '#shared/core/authenticate-key.ts';
import { runMain } from '#shared/lifecycle.ts';

// A route that has its answer already: what a read costs that asks nothing of the database but who the caller is.

const env = readEnv(process.env);
const answer = process.env.SAME_BYTES ?? '';

await runMain(
  async ({ signal, onDispose }) => {
    const ctx = await openApiContext(env, { signal });
    onDispose(ctx.close);
    const app = fastify();
    app.addHook('onRequest', async (request, reply) => {
      const presented = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      const key = await authenticateKey(ctx.core, presented, hash('sha256', presented, 'hex')).catch(() => null);
      if (key === null) return reply.status(401).send();
    });
    app.get('/v1/shipments/:id', async (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(answer));
    const url = await app.listen({ host: env.HOST, port: env.PORT });
    onDispose(() => app.close());
    process.send?.({ type: 'ready', url });
  },
  { deadlineMs: 5000 },
);
