import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { Caller } from '#shared/domain/caller.ts';
import type { ApiContext } from '../context.ts';
import { callTool, instructions, serverInfo, toolDefinitions, traceparentOfMeta } from './call-tool.ts';

// Each new Server would otherwise build one of its own.
const validator = new AjvJsonSchemaValidator();

/** True for one JSON-RPC message in the form of the revisions with `initialize`. */
export function isLegacyMessage(message: unknown): boolean {
  return JSONRPCMessageSchema.safeParse(message).success;
}

/** Serves the revisions 2024-11-05 to 2025-11-25. One server per request: a shared one would mix up accounts (CVE-2026-25536). */
export async function serveLegacy(ctx: ApiContext, caller: Caller, exchange: { request: Request; body: unknown }): Promise<Response> {
  const server = new Server(serverInfo, { capabilities: { tools: {} }, instructions, jsonSchemaValidator: validator });
  const protocolVersion = exchange.request.headers.get('mcp-protocol-version');
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolDefinitions }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const traceparent = traceparentOfMeta(params._meta);
    const result = await callTool(ctx, caller, { name: params.name, args: params.arguments ?? {}, protocolVersion, traceparent });
    if (result === null) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 64)}; see tools/list`);
    return result;
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(exchange.request, { parsedBody: withoutCancellations(exchange.body) });
  } finally {
    await server.close();
  }
}

/** A cancelled request gets no answer: within a batch that would leave the whole batch without one. */
function withoutCancellations(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  const rest = body.filter((message: { method?: unknown }) => message.method !== 'notifications/cancelled');
  return rest.length === 0 ? body : rest;
}
