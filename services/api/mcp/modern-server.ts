import {
  createMcpHandler,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { ApiContext } from '../context.ts';
import {
  callTool,
  capabilities,
  instructions,
  type McpExchange,
  serverInfo,
  toolDefinitions,
  unknownTool,
} from './call-tool.ts';
import { observeRequest } from './observe-request.ts';
import { isModernVersion } from './protocol-versions.ts';
import { metaOf, misfit, type RpcAnswer, type RpcRequest, readRpcMessage, rpcErrorAnswer } from './rpc-message.ts';
import { notBuiltMessage, readView, viewDefinitions } from './views.ts';

const validator = new AjvJsonSchemaValidator();
/** The tools and their views only change with a release. */
const unchanging = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** The headers that this revision compares with the body. */
export type ModernHeaders = { version: string | null; method: string | null; name: string | null };
export type ModernAnswer = { status: number; text: string };
export type ModernServer = {
  answer: (exchange: McpExchange, headers: ModernHeaders, body: unknown) => Promise<ModernAnswer>;
};

/** The result of our own handlers; null if they were not reached. */
type Outcome = { errorType: string | null } | null;

/** True if the header or `_meta` declares revision 2026-07-28 or later. The SDK checks that both agree. */
export function isModernRequest(headers: ModernHeaders, body: unknown): boolean {
  return isModernVersion(headers.version) || claimsModern(body);
}

/** True if the `_meta` of the message declares revision 2026-07-28 or later. */
export function claimsModern(message: unknown): boolean {
  return PROTOCOL_VERSION_META_KEY in metaOf(message);
}

/** Serves revision 2026-07-28, which has no `initialize` and no session. One server per request. */
export function createModernServer(ctx: ApiContext): ModernServer {
  const handler: McpHttpHandler = createMcpHandler(({ authInfo }) => buildServer(ctx, authInfo?.extra as ServerInput), {
    legacy: 'reject',
    keepAliveMs: 0,
    maxSubscriptions: 0,
    onerror: (error) => ctx.logger.debug({ err: error }, 'MCP request refused'),
  });
  const serve = async (input: ServerInput, headers: ModernHeaders, body: unknown): Promise<ModernAnswer> => {
    const { keyId, scopes } = input.exchange.caller;
    const authInfo = { token: '', clientId: keyId ?? '', scopes: [...scopes], extra: input };
    const response = await handler.fetch(webRequest(headers), { parsedBody: body, authInfo });
    if (response.status >= 500) throw new Error('the MCP SDK failed');
    return { status: response.status, text: await response.text() };
  };
  return {
    answer: async (exchange, headers, body) => {
      const message = readRpcMessage(body);
      const input: ServerInput = { exchange, outcome: null };
      if (message.kind !== 'request') return serve(input, headers, body);
      const { request } = message;
      return observeRequest(request, headers.version, {
        run: async () => inOurWords(request, await serve(input, headers, withArguments(body)), input.outcome),
        errorTypeOf: ({ text }) => (input.outcome === null ? codeOf(text) : input.outcome.errorType),
      });
    },
  };
}

/** `arguments: null` means none, as models write it; the SDK would refuse it. */
function withArguments(body: unknown): unknown {
  const message = body as { params?: { arguments?: unknown } };
  if (message.params?.arguments !== null) return body;
  return { ...message, params: { ...message.params, arguments: {} } };
}

type ServerInput = { exchange: McpExchange; outcome: Outcome };

/** One server per request: a shared one would mix up accounts (CVE-2026-25536). */
function buildServer(ctx: ApiContext, input: ServerInput): Server {
  const server = new Server(serverInfo, {
    capabilities,
    instructions,
    jsonSchemaValidator: validator,
    cacheHints: {
      'tools/list': unchanging,
      'server/discover': unchanging,
      'resources/list': unchanging,
      'resources/templates/list': unchanging,
      'resources/read': unchanging,
    },
  });
  server.setRequestHandler('tools/list', () => {
    input.outcome = { errorType: null };
    return { tools: toolDefinitions };
  });
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const result = await callTool(ctx, input.exchange, { name, args });
    input.outcome = { errorType: errorTypeOf(result) };
    if (result === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(name));
    return result;
  });
  server.setRequestHandler('resources/list', () => {
    input.outcome = { errorType: null };
    return { resources: viewDefinitions };
  });
  server.setRequestHandler('resources/templates/list', () => {
    input.outcome = { errorType: null };
    return { resourceTemplates: [] };
  });
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const reading = readView(ctx, uri);
    input.outcome = { errorType: reading.kind === 'view' ? null : String(viewErrors[reading.kind]) };
    if (reading.kind === 'view') return { contents: reading.contents };
    if (reading.kind === 'missing') throw new ResourceNotFoundError(uri.slice(0, 200));
    throw new ProtocolError(viewErrors.not_built, notBuiltMessage);
  });
  return server;
}

const viewErrors = { missing: ProtocolErrorCode.InvalidParams, not_built: ProtocolErrorCode.InternalError } as const;

function errorTypeOf(result: { isError?: boolean } | null): string | null {
  if (result === null) return String(ProtocolErrorCode.InvalidParams);
  return result.isError === true ? 'tool_error' : null;
}

/**
 * Replaces the errors of the SDK for invalid params. There are no subscriptions, so `subscriptions/listen` does not
 * exist here; the SDK would answer it with an internal error.
 */
function inOurWords({ id, method }: RpcRequest, answer: ModernAnswer, outcome: Outcome): ModernAnswer {
  if (outcome !== null || answer.status !== 200 || codeOf(answer.text) === null) return answer;
  const isListen = method === 'subscriptions/listen';
  const error = isListen ? { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' } : misfit;
  return { status: isListen ? 404 : 200, text: JSON.stringify(rpcErrorAnswer(id, error)) };
}

function codeOf(text: string): string | null {
  const { error } = JSON.parse(text) as RpcAnswer;
  return error === undefined ? null : String(error.code);
}

/** The request that the SDK sees: without the key, and with both media types, which it requires. */
function webRequest({ version, method, name }: ModernHeaders): Request {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  if (version !== null) headers['mcp-protocol-version'] = version;
  if (method !== null) headers['mcp-method'] = method;
  if (name !== null) headers['mcp-name'] = name;
  return new Request('http://landfall.invalid/v1/mcp', { method: 'POST', headers });
}
