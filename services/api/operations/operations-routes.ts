import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseFindTracesQuery } from '#shared/contract/installation/trace-wire.ts';
import type { ApiContext } from '../context.ts';
import { sendFile, sendPage, serveFiles } from '../plugins/web-app.ts';
import { answerHistory, answerOperations, answerTrace, answerTraces } from './operations-answers.ts';

const page = 'operations.html';
/** The files beside the page that it loads. */
const files = ['theme.js', 'landfall.svg'];
const notBuilt =
  'The operations screens are not built. Run "npx vite build services/dashboard", or request JSON with "Accept: ' +
  'application/json".';

type Answer = (request: FastifyRequest) => Promise<unknown>;

/**
 * The state of the installation and its traces, across all accounts: to a browser as the dashboard's own screens, to
 * everything else as JSON, which is also where the screens get their data. Never register this on the public port.
 */
export function registerOperationsRoutes(app: FastifyInstance, ctx: ApiContext): void {
  const folder = ctx.settings.webAppFolder;
  const serve = (url: string, answer: Answer) =>
    app.get(url, async (request, reply) => {
      // One address has two representations.
      reply.header('vary', 'accept');
      return wantsPage(request) ? sendScreens(folder, request, reply) : sendJson(reply, await answer(request));
    });
  serve('/operations', () => answerOperations(ctx));
  serve('/operations/history', () => answerHistory(ctx));
  serve('/operations/traces', async ({ query }) =>
    answerTraces(ctx, parseFindTracesQuery(withoutEmpty(query as Record<string, string>))),
  );
  serve('/operations/traces/:trace_id', ({ params }) => answerTrace(ctx, (params as { trace_id: string }).trace_id));
  serveFiles(app, folder);
  for (const name of files) app.get(`/${name}`, (_request, reply) => sendFile(folder, name, reply));
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true;
}

/** A form sends its empty fields too. */
function withoutEmpty(query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

function sendScreens(folder: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const sent = sendPage(folder, page, { request, reply });
  if (sent !== null) return sent;
  return reply
    .status(503)
    .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .send(`${notBuilt}\n`);
}

function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.headers({ 'content-type': 'application/json', 'cache-control': 'no-store' }).send(JSON.stringify(body));
}
