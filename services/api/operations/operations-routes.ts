import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readFindTracesQuery } from '#shared/contract/operations/find-traces-query.ts';
import { toWireOperations } from '#shared/contract/operations/operations-wire.ts';
import { toWireTrace, toWireTraceSummary } from '#shared/contract/operations/trace-wire.ts';
import { findTraces } from '#shared/core/operations/find-traces.ts';
import { readTrace } from '#shared/core/operations/read-trace.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import { sendFile, sendPage, serveFiles } from '../plugins/web-app.ts';
import { sharedOperations } from './shared-operations.ts';

const page = 'operations.html';
/** The files beside the page that it loads. */
const files = ['theme.js', 'landfall.svg'];
const notBuilt =
  'The operations screens are not built. Run "npx vite build services/dashboard", or request JSON with "Accept: application/json".';

type Answer = (request: FastifyRequest) => Promise<unknown>;

/**
 * The state of the installation and its traces, across all accounts: to a browser as the dashboard's own screens, to
 * everything else as JSON, which is also where the screens get their data. Never register this on the public port.
 */
export function registerOperationsRoutes(app: FastifyInstance, ctx: ApiContext): void {
  const { core } = ctx;
  const folder = ctx.settings.webAppFolder;
  const read = sharedOperations(ctx);
  const serve = (url: string, answer: Answer) =>
    app.get(url, async (request, reply) => {
      // One address has two answers.
      reply.header('vary', 'accept');
      return wantsPage(request) ? sendScreens(folder, request, reply) : sendJson(reply, await answer(request));
    });
  serve('/operations', async () => toWireOperations(await read()));
  serve('/operations/traces', async ({ query }) => {
    const filter = readFindTracesQuery(withoutEmpty(query as Record<string, unknown>));
    return { data: (await findTraces(core, filter)).map(toWireTraceSummary) };
  });
  serve('/operations/traces/:trace_id', async ({ params }) => {
    const trace = await readTrace(core, (params as { trace_id: string }).trace_id);
    if (trace === null) throw new LandfallError('route_not_found', 'Trace not found. It may have expired.');
    return toWireTrace(trace);
  });
  serveFiles(app, folder);
  for (const name of files) app.get(`/${name}`, (_request, reply) => sendFile(folder, name, reply));
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true;
}

/** A form sends its empty fields too. */
function withoutEmpty(query: Record<string, unknown>): Record<string, unknown> {
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
