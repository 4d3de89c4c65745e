import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { z } from 'zod';
import type { Caller } from '#shared/domain/caller.ts';
import type { ApiContext } from '../context.ts';
import { callTool, instructions, serverInfo, toolDefinitions, traceparentOfMeta } from './call-tool.ts';

// Each new Server would otherwise build one of its own.
const validator = new AjvJsonSchemaValidator();

const taskCall = z.looseObject({ method: z.literal('tools/call'), params: z.looseObject({ task: z.unknown() }) });

/** True for one JSON-RPC message in the form of the revisions with `initialize`. */
export function isLegacyMessage(message: unknown): boolean {
  return JSONRPCMessageSchema.safeParse(message).success;
}

/** Serves the revisions 2024-11-05 to 2025-11-25. One server per request: a shared one would mix up accounts (CVE-2026-25536). */
export async function serveLegacy(ctx: ApiContext, caller: Caller, exchange: { request: Request; body: unknown }): Promise<Response> {
  const server = new Server(serverInfo, { capabilities: { tools: {} }, instructions, jsonSchemaValidator: validator });
  const protocolVersion = exchange.request.headers.get('mcp-protocol-version');
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolDefinitions }));
  // A handler with a schema would answer malformed params with the schema library's own dump, as an internal error.
  server.fallbackRequestHandler = async (request: JSONRPCRequest) => {
    if (request.method !== 'tools/call') throw rpcError(ErrorCode.MethodNotFound, 'Method not found');
    const read = CallToolRequestSchema.safeParse(request);
    if (!read.success) throw rpcError(ErrorCode.InvalidParams, 'params must be {"name": a text, "arguments": an object}');
    const { name, arguments: args = {}, _meta: meta } = read.data.params;
    const result = await callTool(ctx, caller, { name, args, protocolVersion, traceparent: traceparentOfMeta(meta) });
    if (result === null) throw rpcError(ErrorCode.InvalidParams, `There is no tool ${name.slice(0, 64)}; see tools/list`);
    return result;
  };
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(exchange.request, { parsedBody: servable(exchange.body) });
    return Array.isArray(exchange.body) ? await asBatch(response) : response;
  } finally {
    await server.close();
  }
}

/** Thrown as plain errors: the SDK's own class puts its name and code before the text. */
function rpcError(code: ErrorCode, text: string): Error {
  return Object.assign(new Error(text), { code });
}

/** A cancelled request gets no answer: within a batch that would leave the whole batch without one. */
function servable(body: unknown): unknown {
  if (!Array.isArray(body)) return withoutTask(body);
  const rest = body.filter((message: { method?: unknown }) => message.method !== 'notifications/cancelled');
  return rest.length === 0 ? body : rest.map(withoutTask);
}

/** Who does not offer tasks must ignore the wish for one (revision 2025-11-25); the SDK would refuse the call. */
function withoutTask(message: unknown): unknown {
  const { success, data } = taskCall.safeParse(message);
  if (!success) return message;
  const { task: _ignored, ...params } = data.params;
  return { ...data, params };
}

/** The answer to a batch is a list, also when there is only one (JSON-RPC 2.0, section 6). */
async function asBatch(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const text = await response.text();
  return new Response(text.startsWith('{') ? `[${text}]` : text, response);
}
