import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
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
import { misfit, type RpcAnswer, type RpcError, type RpcRequest, rpcCodes, rpcErrorAnswer } from './rpc-message.ts';
import { notBuiltMessage, readView, viewDefinitions } from './views.ts';

// Otherwise each Server would build its own.
const validator = new AjvJsonSchemaValidator();
/**
 * Methods that the SDK answers itself. It only fails for invalid params, and then exposes the dump of its schema
 * library.
 */
const builtIn: readonly string[] = ['initialize', 'ping'];

/** Answers a request of the revisions up to 2025-11-25. Never rejects. */
export function answerLegacy(ctx: ApiContext, exchange: McpExchange, request: RpcRequest): Promise<RpcAnswer> {
  return observeRequest(request, exchange.versionHeader, {
    run: () => ask(buildServer(ctx, exchange), withoutTask(request)),
    errorTypeOf: ({ error, result }) => {
      if (error !== undefined) return String(error.code);
      return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true
        ? 'tool_error'
        : null;
    },
  });
}

/** One server per request: a shared one would mix up accounts (CVE-2026-25536). */
function buildServer(ctx: ApiContext, exchange: McpExchange): Server {
  const server = new Server(serverInfo, { capabilities, instructions, jsonSchemaValidator: validator });
  // A handler with a schema would answer malformed params with an internal error and the dump of the schema library.
  server.fallbackRequestHandler = async ({ method, params = {} }: JSONRPCRequest) => {
    if (method === 'tools/list') return { tools: toolDefinitions };
    if (method === 'resources/list') return { resources: viewDefinitions };
    if (method === 'resources/templates/list') return { resourceTemplates: [] };
    if (method === 'resources/read') return { contents: contentsOf(ctx, params.uri) };
    if (method !== 'tools/call') throw thrown({ code: rpcCodes.methodNotFound, message: 'Method not found' });
    const { name, arguments: given } = params;
    const args = given ?? {};
    if (typeof name !== 'string' || typeof args !== 'object' || Array.isArray(args)) {
      throw thrown({
        code: rpcCodes.invalidParams,
        message: 'params must be {"name": string, "arguments": object}',
      });
    }
    const result = await callTool(ctx, exchange, { name, args: args as Record<string, unknown> });
    if (result === null) throw thrown({ code: rpcCodes.invalidParams, message: unknownTool(name) });
    return result;
  };
  return server;
}

/** The code is that of the revisions with `initialize`: "Resource not found". */
function contentsOf(ctx: ApiContext, uri: unknown): unknown {
  const reading = readView(ctx, uri);
  if (reading.kind === 'view') return reading.contents;
  if (typeof uri !== 'string')
    throw thrown({ code: rpcCodes.invalidParams, message: 'params must be {"uri": string}' });
  if (reading.kind === 'not_built') throw thrown({ code: rpcCodes.internalError, message: notBuiltMessage });
  throw thrown({
    code: rpcCodes.resourceNotFound,
    message: 'Resource not found. See resources/list.',
    data: { uri: uri.slice(0, 200) },
  });
}

/**
 * Passes one request to the server and returns its response. The HTTP transport of the SDK would convert both to web
 * requests and parse every message three times. The rest of its work (media types, revisions, batches) is done by the
 * route, for all revisions.
 */
async function ask(server: Server, request: RpcRequest): Promise<RpcAnswer> {
  const { promise: answered, resolve } = Promise.withResolvers<RpcAnswer>();
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (message: JSONRPCMessage) => {
      const answer = message as RpcAnswer;
      const isDump = answer.error !== undefined && builtIn.includes(request.method);
      resolve(isDump ? rpcErrorAnswer(request.id, misfit) : answer);
    },
  };
  // The SDK does not recognize the message as a request and would never answer.
  server.onerror = () => resolve(rpcErrorAnswer(request.id, misfit));
  await server.connect(transport);
  transport.onmessage?.(request);
  return answered;
}

/** A plain error: the class of the SDK puts its name and code before the text. */
function thrown({ message, ...rest }: RpcError): Error {
  return Object.assign(new Error(message), rest);
}

/** Servers without tasks must ignore `task` (revision 2025-11-25); the SDK would refuse the call. */
function withoutTask(request: RpcRequest): RpcRequest {
  if (request.params === undefined || !('task' in request.params)) return request;
  const { task: _ignored, ...params } = request.params;
  return { ...request, params };
}
