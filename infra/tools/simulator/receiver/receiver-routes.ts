import { setMaxListeners } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sleep } from '#shared/async/sleep.ts';
import { behaviourSchema, type ReceiverBook, receiverNames, secretSchema } from './receiver-book.ts';
import { receiverPage } from './receiver-page.ts';

const paramsSchema = z.object({ name: z.enum(receiverNames) });
const behaviourBody = z.object({ behaviour: behaviourSchema });
const secretBody = z.object({ secret: z.string().trim().pipe(secretSchema) });
const maxBodyBytes = 4_194_304;

/**
 * A receiver of webhooks with three addresses: `POST /receiver/healthy`, `…/slow` and `…/refusing` answer as their names
 * say until `POST …/behaviour` changes it. `POST …/secrets` gives a receiver a secret to verify signatures with. `GET
 * /receiver` lists what arrived: HTML, or JSON for a client that accepts only JSON.
 */
export function addReceiverRoutes(app: FastifyInstance, book: ReceiverBook): void {
  const closing = new AbortController();
  // One listener for each request that waits.
  setMaxListeners(0, closing.signal);
  app.addHook('preClose', async () => closing.abort());

  app.get('/receiver', async (request, reply) => {
    const receivers = book.list();
    if (!wantsPage(request))
      return { receivers: receivers.map(({ secrets, ...rest }) => ({ ...rest, secrets: secrets.length })) };
    return reply.type('text/html; charset=utf-8').send(receiverPage(receivers));
  });
  app.post('/receiver/:name/behaviour', async (request, reply) => {
    book.setBehaviour(paramsSchema.parse(request.params).name, behaviourBody.parse(request.body).behaviour);
    return done(request, reply);
  });
  app.post('/receiver/:name/secrets', async (request, reply) => {
    book.addSecret(paramsSchema.parse(request.params).name, secretBody.parse(request.body).secret);
    return done(request, reply);
  });

  // A signature covers the bytes of the body, so these routes do not parse it.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.post('/receiver/:name', async (request, reply) => {
      const { name } = paramsSchema.parse(request.params);
      const { status, delayMs } = book.receive(name, { headers: request.headers, body: String(request.body ?? '') });
      if (status === null) return endWithClient(request, reply, closing.signal);
      if (delayMs > 0) await sleep(delayMs, { signal: closing.signal });
      if (status === 429) reply.header('retry-after', '30');
      return reply
        .code(status)
        .send(status < 300 ? { received: true } : { error: 'This receiver is set to refuse deliveries.' });
    });
  });
}

/** Holds the request until the client gives up or the simulator stops. */
async function endWithClient(
  request: FastifyRequest,
  reply: FastifyReply,
  closing: AbortSignal,
): Promise<FastifyReply> {
  await new Promise((resolve) => {
    request.raw.socket.once('close', resolve);
    closing.addEventListener('abort', resolve, { once: true });
  });
  return reply.code(503).send();
}

/** A form of the page returns to the page; a program gets 204. */
function done(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return wantsPage(request) ? reply.redirect('/receiver', 303) : reply.code(204).send();
}

function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true;
}
