import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { OperationsState } from '#shared/domain/operations/operations.ts';
import type { ApiContext } from '../context.ts';
import { operationsScript, operationsStyle } from './operations-frame.ts';
import { renderAway, renderOperations } from './render-operations.ts';
import { sharedOperations } from './shared-operations.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src ${hashOf(operationsStyle)}; script-src ${hashOf(operationsScript)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** `/operations`: how the installation does now; `/operations/now` is its middle, which the page asks for again and again. */
export function registerOperationsRoutes(app: FastifyInstance, ctx: ApiContext): void {
  const read = sharedOperations(ctx);
  const content = () => middle(ctx, read);
  app.get('/operations', async (_request, reply) => send(reply, framed(await content())));
  app.get('/operations/now', async (_request, reply) => send(reply, await content()));
}

async function middle({ core, logger }: ApiContext, read: () => Promise<OperationsState>): Promise<string> {
  try {
    return renderOperations(await read());
  } catch (error) {
    logger.warn({ err: error }, 'the operations page could not be read');
    return renderAway(core.now().toISOString());
  }
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
