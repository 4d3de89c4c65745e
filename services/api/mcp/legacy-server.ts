import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { ApiContext } from '../context.ts';
import { callTool, instructions, type McpExchange, serverInfo, toolDefinitions } from './call-tool.ts';
import { observeRequest } from './observe-request.ts';
import { misfit, type RpcAnswer, type RpcError, type RpcRequest, rpcCodes, rpcErrorAnswer } from './rpc-message.ts';

// Each new Server would otherwise build one of its own.
const validator = new AjvJsonSchemaValidator();
/** What the SDK answers itself. It only fails when params do not fit, and then says so with its schema library's dump. */
const builtIn: readonly string[] = ['initialize', 'ping'];

/** Answers one request of the revisions up to 2025-11-25. Never rejects. */
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

/** One server for each request: a shared one would mix up accounts (CVE-2026-25536). */
function buildServer(ctx: ApiContext, exchange: McpExchange): Server {
  const server = new Server(serverInfo, { capabilities: { tools: {} }, instructions, jsonSchemaValidator: validator });
  // A handler with a schema would answer malformed params with the schema library's own dump, as an internal error.
  server.fallbackRequestHandler = async ({ method, params = {} }: JSONRPCRequest) => {
    if (method === 'tools/list') return { tools: toolDefinitions };
    if (method !== 'tools/call') throw thrown({ code: rpcCodes.methodNotFound, message: 'Method not found' });
    const { name, arguments: args = {} } = params;
    if (typeof name !== 'string' || typeof args !== 'object' || args === null || Array.isArray(args)) {
      throw thrown({
        code: rpcCodes.invalidParams,
        message: 'params must be {"name": a text, "arguments": an object}',
      });
    }
    const result = await callTool(ctx, exchange, { name, args: args as Record<string, unknown> });
    if (result === null)
      throw thrown({ code: rpcCodes.invalidParams, message: `There is no tool ${name.slice(0, 64)}; see tools/list` });
    return result;
  };
  return server;
}

/**
 * Hands the server one request and gives its answer. The SDK's own HTTP transport would turn both into web requests and answers, and parse
 * every message thrice; what else it does (media types, revisions, batches) the route does for both eras.
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
  // It does not take the message for a request, and would never answer.
  server.onerror = () => resolve(rpcErrorAnswer(request.id, misfit));
  await server.connect(transport);
  transport.onmessage?.(request);
  return answered;
}

/** Thrown as plain errors: the SDK's own class puts its name and code before the text. */
function thrown({ code, message }: RpcError): Error {
  return Object.assign(new Error(message), { code });
}

/** Who does not offer tasks must ignore the wish for one (revision 2025-11-25); the SDK would refuse the call. */
function withoutTask(request: RpcRequest): RpcRequest {
  if (request.params === undefined || !('task' in request.params)) return request;
  const { task: _ignored, ...params } = request.params;
  return { ...request, params };
}
