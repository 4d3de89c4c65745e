import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedRanges } from '#shared/contract/input/accepted-ranges.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { hostNameOf, loopbackHosts } from '#shared/domain/installation/allowed-host.ts';
import type { ApiSettings } from '../api-settings.ts';
import type { ApiContext } from '../context.ts';
import { failureOf, sendProblem } from '../http/errors.ts';
import { goneSignal } from '../http/gone-signal.ts';
import type { McpExchange } from '../mcp/call-tool.ts';
import { answerLegacy } from '../mcp/legacy-server.ts';
import { claimsModern, createModernServer, isModernRequest, type ModernHeaders } from '../mcp/modern-server.ts';
import { allowsBatches, isModernVersion, legacyVersions, protocolVersions } from '../mcp/protocol-versions.ts';
import { type RpcAnswer, type RpcMessage, readRpcMessage, rpcCodes, rpcErrorAnswer } from '../mcp/rpc-message.ts';
import { callerOf } from '../plugins/authenticate.ts';
import { limitRequest } from '../plugins/rate-limit.ts';
import type { RawRoute } from '../plugins/serve.ts';

const maxBatch = 10;
const invalidMessage = 'Invalid Request: send a JSON-RPC 2.0 message with jsonrpc, method and id';

/** JSON-RPC over a single POST, for clients of every revision. No sessions and no open streams. */
export const mcpRoute: RawRoute = (ctx) => ({
  // Based on the headers alone, before the body is read.
  onRequest: async (request) => checkHostAndOrigin(request, ctx.settings),
  handler: answerWith(ctx),
  errorHandler: mcpErrorHandler(ctx),
});

function answerWith(ctx: ApiContext) {
  const modern = createModernServer(ctx);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { body } = request;
    const headers = modernHeaders(request);
    const exchange = { caller: callerOf(request), versionHeader: headers.version, gone: goneSignal(reply) };
    if (Array.isArray(body)) return answerBatch(ctx, exchange, { request, reply, messages: body });
    if (isModernRequest(headers, body)) return send(reply, await modern.answer(exchange, headers, body));
    const message = readRpcMessage(body);
    if (message.kind === 'invalid') return refuse(reply, rpcErrorAnswer(message.id, invalidRequest(invalidMessage)));
    if (!speaksLegacy(headers.version, message)) return refuse(reply, unsupportedVersion(headers.version, message));
    if (message.kind !== 'request') return reply.status(202).send();
    return send(reply, { status: 200, text: JSON.stringify(await answerLegacy(ctx, exchange, message.request)) });
  };
}

/** A body that can't be read is a JSON-RPC error; all other errors stay HTTP errors. */
function mcpErrorHandler(ctx: ApiContext) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const failure = failureOf(error, request, ctx.logger);
    // The message has too many keys, entries or levels.
    if (failure.code === 'validation_failed')
      return refuse(reply, rpcErrorAnswer(null, invalidRequest(`Invalid Request: ${failure.message}`)));
    if (failure.code !== 'invalid_json') return sendProblem(reply, failure);
    return refuse(
      reply,
      rpcErrorAnswer(null, { code: rpcCodes.parseError, message: `Parse error: ${failure.message}` }),
    );
  };
}

type Batch = { request: FastifyRequest; reply: FastifyReply; messages: readonly unknown[] };

/**
 * Runs all messages in parallel, each with its own server and response, so that duplicate ids do no harm. None runs if
 * one exceeds the rate limit.
 */
async function answerBatch(
  ctx: ApiContext,
  exchange: McpExchange,
  { request, reply, messages }: Batch,
): Promise<FastifyReply> {
  const read = messages.map(readRpcMessage);
  const refusal =
    batchRefusal(exchange.versionHeader, messages) ??
    (read.every(({ kind }) => kind === 'invalid') ? invalidMessage : null);
  if (refusal !== null) return refuse(reply, rpcErrorAnswer(null, invalidRequest(refusal)));
  // The request itself is already counted.
  for (let counted = 1; counted < messages.length; counted++) await limitRequest(ctx, request, reply);
  const answers = await Promise.all(read.map((message) => answerOne(ctx, exchange, message)));
  const given = answers.filter((answer) => answer !== null);
  if (given.length === 0) return reply.status(202).send();
  return send(reply, { status: 200, text: JSON.stringify(given) });
}

async function answerOne(ctx: ApiContext, exchange: McpExchange, message: RpcMessage): Promise<RpcAnswer | null> {
  if (message.kind === 'invalid') return rpcErrorAnswer(message.id, invalidRequest(invalidMessage));
  return message.kind === 'request' ? answerLegacy(ctx, exchange, message.request) : null;
}

function batchRefusal(versionHeader: string | null, messages: readonly unknown[]): string | null {
  if (!allowsBatches(versionHeader) || messages.some(claimsModern))
    return 'Invalid Request: this MCP revision does not support batches';
  if (messages.length === 0) return 'Invalid Request: the batch is empty';
  if (messages.length > maxBatch) return `Invalid Request: a batch must have at most ${maxBatch} messages`;
  return messages.some(isInitialize) ? 'Invalid Request: initialize must be sent alone' : null;
}

function isInitialize(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize';
}

/** `initialize` negotiates the revision in its body, so its header is ignored. */
function speaksLegacy(versionHeader: string | null, message: RpcMessage): boolean {
  if (versionHeader === null || legacyVersions.includes(versionHeader)) return true;
  return message.kind === 'request' && message.request.method === 'initialize' && !isModernVersion(versionHeader);
}

function unsupportedVersion(requested: string | null, message: RpcMessage): RpcAnswer {
  const id = message.kind === 'request' ? message.request.id : null;
  const named = protocolVersions.join(', ');
  return rpcErrorAnswer(id, {
    code: rpcCodes.unsupportedVersion,
    message: `Unsupported protocol version in the header MCP-Protocol-Version. Supported: ${named}`,
    data: { supported: protocolVersions, requested },
  });
}

function invalidRequest(message: string) {
  return { code: rpcCodes.invalidRequest, message };
}

function modernHeaders({ headers }: FastifyRequest): ModernHeaders {
  const textOf = (name: string): string | null => {
    const value = headers[name];
    return typeof value === 'string' ? value.trim() : null;
  };
  return { version: textOf('mcp-protocol-version'), method: textOf('mcp-method'), name: textOf('mcp-name') };
}

function refuse(reply: FastifyReply, answer: RpcAnswer): FastifyReply {
  return send(reply, { status: 400, text: JSON.stringify(answer) });
}

/** Sends the response as one server-sent event if the client accepts those, otherwise as JSON. */
function send(reply: FastifyReply, { status, text }: { status: number; text: string }): FastifyReply {
  reply.status(status);
  if (text === '') return reply.send();
  const readsEvents = acceptedRanges(reply.request.headers.accept)?.includes('text/event-stream') ?? false;
  if (status !== 200 || !readsEvents) return reply.header('content-type', 'application/json').send(text);
  reply.headers({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  return reply.send(`event: message\ndata: ${text}\n\n`);
}

/** Refuses other host names (DNS rebinding) and pages of other origins. Only browsers send an Origin. */
function checkHostAndOrigin(request: FastifyRequest, settings: ApiSettings): void {
  const host = hostNameOf(request.headers.host ?? '');
  if (settings.allowedHosts !== null && (host === null || !settings.allowedHosts.includes(host))) {
    throw new LandfallError('host_not_allowed', 'This host is not allowed. Operators add hosts with ALLOWED_HOSTS.');
  }
  const { origin } = request.headers;
  if (origin === undefined) return;
  const isOfThisMachine =
    URL.canParse(origin) && new URL(origin).origin === origin && loopbackHosts.includes(new URL(origin).hostname);
  if (!isOfThisMachine && !settings.allowedOrigins.includes(origin)) {
    throw new LandfallError(
      'origin_not_allowed',
      'This origin is not allowed. Operators add origins with ALLOWED_ORIGINS.',
    );
  }
}
