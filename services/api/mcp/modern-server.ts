import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Caller } from '#shared/domain/caller.ts';
import type { ApiContext } from '../context.ts';
import { callTool, instructions, serverInfo, toolDefinitions, traceparentOfMeta } from './call-tool.ts';

const validator = new AjvJsonSchemaValidator();
/** The tools change with a release only. */
const toolsListTtlMs = 3_600_000;

export type ModernServer = { serve: (caller: Caller, exchange: { request: Request; body: unknown }) => Promise<Response> };

/** True when the request says, by header or `_meta`, that it speaks 2026-07-28 or later. */
export async function isModernRequest(request: Request, body: unknown): Promise<boolean> {
  return !(await isLegacyRequest(request, body));
}

/** Serves the revision 2026-07-28, which has no `initialize` and no session. One server per request. */
export function createModernServer(ctx: ApiContext): ModernServer {
  const handler: McpHttpHandler = createMcpHandler(({ authInfo }) => buildServer(ctx, authInfo?.extra?.['caller'] as Caller), {
    legacy: 'reject',
    keepAliveMs: 0,
    maxSubscriptions: 0,
    onerror: (error) => ctx.logger.debug({ err: error }, 'an MCP request was refused'),
  });
  return {
    serve: (caller, { request, body }) => {
      const authInfo = { token: '', clientId: caller.keyId ?? '', scopes: [...caller.scopes], extra: { caller } };
      return handler.fetch(request, { parsedBody: body, authInfo });
    },
  };
}

function buildServer(ctx: ApiContext, caller: Caller): Server {
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions,
    jsonSchemaValidator: validator,
    cacheHints: { 'tools/list': { ttlMs: toolsListTtlMs, cacheScope: 'public' } },
  });
  server.setRequestHandler('tools/list', () => ({ tools: toolDefinitions }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const traceparent = traceparentOfMeta(params._meta);
    const result = await callTool(ctx, caller, {
      name: params.name,
      args: params.arguments ?? {},
      protocolVersion: '2026-07-28',
      traceparent,
    });
    if (result === null)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 64)}; see tools/list`);
    return result;
  });
  return server;
}
