import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseFindTracesQuery } from '#shared/contract/operations/find-traces-query.ts';
import { toWireTrace, toWireTraceSummary } from '#shared/contract/operations/trace-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { findTraces, readTrace } from '#shared/core/operations/find-traces.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Logger } from '#shared/telemetry/logger.ts';
import { registerErrors } from '../plugins/errors.ts';
import { renderTraceList } from './render-trace-list.ts';
import { renderTraceMissing, renderWaterfall } from './render-waterfall.ts';
import { traceStyle } from './trace-page.ts';

const styleHash = createHash('sha256').update(traceStyle).digest('base64');
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * What was traced, for operators: `/operations/traces` and `/operations/traces/{trace_id}`, as a page to whoever accepts HTML, else as JSON.
 * Every account's: never on the port that clients reach.
 */
export function registerTraceRoutes(
  app: FastifyInstance,
  { core, logger }: { core: CoreContext; logger: Logger },
): void {
  app.register(async (scope) => {
    registerErrors(scope, logger);
    scope.get('/operations/traces', async (request, reply) => {
      const query = request.query as Record<string, unknown>;
      const filter = parseFindTracesQuery(withoutEmpty(query));
      const traces = await findTraces(core, filter);
      if (wantsPage(request)) return sendPage(reply, renderTraceList(traces, filter));
      return sendJson(reply, { data: traces.map(toWireTraceSummary) });
    });
    scope.get('/operations/traces/:trace_id', async (request, reply) => {
      const { trace_id: traceId } = request.params as { trace_id: string };
      const trace = await readTrace(core, traceId);
      if (trace === null && wantsPage(request)) return sendPage(reply.status(404), renderTraceMissing(traceId));
      if (trace === null) throw new LandfallError('route_not_found', 'This trace is not kept, or not any more.');
      return wantsPage(request) ? sendPage(reply, renderWaterfall(trace)) : sendJson(reply, toWireTrace(trace));
    });
  });
}

/** A form sends its empty fields too. */
function withoutEmpty(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true;
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.headers(pageHeaders).send(page);
}

function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.headers({ 'content-type': 'application/json', 'cache-control': 'no-store' }).send(JSON.stringify(body));
}
