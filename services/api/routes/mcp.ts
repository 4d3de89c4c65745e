import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';
import { checkHostAndOrigin } from '../mcp/check-origin.ts';
import { isLegacyMessage, serveLegacy } from '../mcp/legacy-server.ts';
import { createModernServer, isModernRequest } from '../mcp/modern-server.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { failureOf, sendProblem } from '../plugins/errors.ts';
import { acceptedRanges } from '../plugins/negotiation.ts';

const largestBatch = 10;
const parseError = -32_700;
const invalidRequest = -32_600;

/** JSON-RPC over one POST, for clients of every revision. No session, no stream that stays open. */
export function mcpRoute(ctx: ApiContext) {
  const modern = createModernServer(ctx);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request);
    checkHostAndOrigin(request, ctx.settings);
    const { body } = request;
    const exchange = { request: webRequest(request), body };
    if (!isBatch(body) && (await isModernRequest(exchange.request, body))) return sendResponse(reply, await modern.serve(caller, exchange));
    const refusal = refusalOf(body);
    if (refusal !== null) return sendRpcError(reply, { code: invalidRequest, message: refusal, id: idOf(body) });
    return sendResponse(reply, await serveLegacy(ctx, caller, exchange));
  };
}

/** A body that cannot be read is a JSON-RPC error here; everything else stays HTTP. */
export function mcpErrorHandler(ctx: ApiContext) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const failure = failureOf(error, request, ctx.logger);
    if (failure.code === 'invalid_json')
      return sendRpcError(reply, { code: parseError, message: `Parse error: ${failure.message}`, id: null });
    return sendProblem(reply, failure);
  };
}

/** What the SDKs see: never the key, and always both media types, which they insist on and many clients do not send. */
function webRequest(request: FastifyRequest): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' });
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://landfall.invalid/v1/mcp', { method: 'POST', headers });
}

function isBatch(body: unknown): body is unknown[] {
  return Array.isArray(body);
}

function refusalOf(body: unknown): string | null {
  if (!isBatch(body)) return isLegacyMessage(body) ? null : 'Invalid Request: send a JSON-RPC 2.0 message with jsonrpc, method and id';
  if (body.length === 0) return 'Invalid Request: the batch is empty';
  if (body.length > largestBatch) return `Invalid Request: a batch may have at most ${largestBatch} messages`;
  return body.every(isLegacyMessage) ? null : 'Invalid Request: a message of the batch is not JSON-RPC 2.0';
}

function idOf(body: unknown): string | number | null {
  if (typeof body !== 'object' || body === null || !('id' in body)) return null;
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : null;
}

type RpcError = { code: number; message: string; id: string | number | null };

function sendRpcError(reply: FastifyReply, { code, message, id }: RpcError): FastifyReply {
  return reply
    .status(400)
    .header('content-type', 'application/json')
    .send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
}

/** The answer as one server-sent event when the client reads those, else as plain JSON. */
async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const text = await response.text();
  reply.status(response.status);
  if (text === '') return reply.send();
  const readsEvents = acceptedRanges(reply.request)?.includes('text/event-stream') ?? false;
  if (response.status !== 200 || !readsEvents) return reply.header('content-type', 'application/json').send(text);
  reply.headers({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' });
  return reply.send(`event: message\ndata: ${text}\n\n`);
}
