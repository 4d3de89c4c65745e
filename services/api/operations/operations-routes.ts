import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { countQueued } from '#shared/core/count-queued.ts';
import { readOperations } from '#shared/core/read-operations.ts';
import type { ApiContext } from '../context.ts';
import { operationsScript, operationsStyle } from './operations-frame.ts';
import { renderAway, renderOperations } from './render-operations.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src ${hashOf(operationsStyle)}; script-src ${hashOf(operationsScript)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Whoever looks within it sees the same moment, so that many lookers cost as much as one. */
const sharedForMs = 2000;
const queueDeadlineMs = 1000;

/** `/operations`: how the installation does now; `/operations/now` is its middle, which the page asks for again and again. */
export function registerOperationsRoutes(app: FastifyInstance, ctx: ApiContext): void {
  let shared: { atMs: number; content: Promise<string> } | null = null;
  const content = (): Promise<string> => {
    const nowMs = performance.now();
    if (shared === null || nowMs - shared.atMs >= sharedForMs) shared = { atMs: nowMs, content: middle(ctx) };
    return shared.content;
  };
  app.get('/operations', async (_request, reply) => send(reply, framed(await content())));
  app.get('/operations/now', async (_request, reply) => send(reply, await content()));
}

async function middle({ core, producer, logger }: ApiContext): Promise<string> {
  try {
    return renderOperations(await readOperations(core, () => inTime(countQueued(producer))));
  } catch (error) {
    logger.warn({ err: error }, 'the operations page could not be read');
    return renderAway(core.now().toISOString());
  }
}

/** A queue that is away must not keep from the page what the database knows. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the queue is slow')), queueDeadlineMs);
  return Promise.race([work, expired]).finally(() => clearTimeout(timer));
}

function send(reply: FastifyReply, html: string): FastifyReply {
  return reply.headers(headers).send(html);
}

function framed(content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Landfall operations</title>
<style>${operationsStyle}</style>
</head>
<body>
<nav><strong>Landfall</strong> <a href="/operations" aria-current="page">Operations</a> <a href="/operations/traces">Traces</a> <a href="/metrics">Metrics</a> <span id="live" class="quiet">live</span></nav>
<main id="now">
${content}
</main>
<script>${operationsScript}</script>
</body>
</html>
`;
}
