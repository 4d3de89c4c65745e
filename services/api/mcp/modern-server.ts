import {
  createMcpHandler,
  type McpHttpHandler,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { ApiContext } from '../context.ts';
import { callTool, instructions, type McpExchange, serverInfo, toolDefinitions } from './call-tool.ts';
import { observeRequest } from './observe-request.ts';
import { isModernVersion } from './protocol-versions.ts';
import { metaOf, misfit, type RpcAnswer, type RpcRequest, readRpcMessage, rpcErrorAnswer } from './rpc-message.ts';

const validator = new AjvJsonSchemaValidator();
/** What is served changes with a release only. */
const unchanging = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** The headers that this revision compares with the body. */
export type ModernHeaders = { version: string | null; method: string | null; name: string | null };
export type ModernAnswer = { status: number; text: string };
export type ModernServer = {
  answer: (exchange: McpExchange, headers: ModernHeaders, body: unknown) => Promise<ModernAnswer>;
};

/** What our own handlers said; `null` when it never came to them. */
type Outcome = { errorType: string | null } | null;

/** True when the request says, by header or `_meta`, that it speaks 2026-07-28 or later; whether it says so rightly, the SDK finds. */
export function isModernRequest(headers: ModernHeaders, body: unknown): boolean {
  return isModernVersion(headers.version) || claimsModern(body);
}

/** True when the message says by its `_meta` that it speaks 2026-07-28 or later. */
export function claimsModern(message: unknown): boolean {
  return PROTOCOL_VERSION_META_KEY in metaOf(message);
}

/** Serves the revision 2026-07-28, which has no `initialize` and no session. One server per request. */
export function createModernServer(ctx: ApiContext): ModernServer {
  const handler: McpHttpHandler = createMcpHandler(({ authInfo }) => buildServer(ctx, authInfo?.extra as ServerInput), {
    legacy: 'reject',
    keepAliveMs: 0,
    maxSubscriptions: 0,
    onerror: (error) => ctx.logger.debug({ err: error }, 'an MCP request was refused'),
  });
  const serve = async (input: ServerInput, headers: ModernHeaders, body: unknown): Promise<ModernAnswer> => {
    const { keyId, scopes } = input.exchange.caller;
    const authInfo = { token: '', clientId: keyId ?? '', scopes: [...scopes], extra: input };
    const response = await handler.fetch(webRequest(headers), { parsedBody: body, authInfo });
    if (response.status >= 500) throw new Error('the SDK failed at a request');
    return { status: response.status, text: await response.text() };
  };
  return {
    answer: async (exchange, headers, body) => {
      const message = readRpcMessage(body);
      const input: ServerInput = { exchange, outcome: null };
      if (message.kind !== 'request') return serve(input, headers, body);
      const { request } = message;
      return observeRequest(request, headers.version, {
        run: async () => inOurWords(request, await serve(input, headers, body), input.outcome),
        errorTypeOf: ({ text }) => (input.outcome === null ? codeOf(text) : input.outcome.errorType),
      });
    },
  };
}

type ServerInput = { exchange: McpExchange; outcome: Outcome };

/** One server for each request: a shared one would mix up accounts (CVE-2026-25536). */
function buildServer(ctx: ApiContext, input: ServerInput): Server {
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions,
    jsonSchemaValidator: validator,
    cacheHints: { 'tools/list': unchanging, 'server/discover': unchanging },
  });
  server.setRequestHandler('tools/list', () => {
    input.outcome = { errorType: null };
    return { tools: toolDefinitions };
  });
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const result = await callTool(ctx, input.exchange, { name, args });
    input.outcome = { errorType: errorTypeOf(result) };
    if (result === null)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name.slice(0, 64)}; see tools/list`);
    return result;
  });
  return server;
}

function errorTypeOf(result: { isError?: boolean } | null): string | null {
  if (result === null) return String(ProtocolErrorCode.InvalidParams);
  return result.isError === true ? 'tool_error' : null;
}

/**
 * Replaces what the SDK itself says against the params of a known method. There is nothing to subscribe to: so that method does not exist
 * here; told to hold no subscription, the SDK calls it an internal error.
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

/** What the SDK sees: never the key, and both media types, which it insists on. */
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
