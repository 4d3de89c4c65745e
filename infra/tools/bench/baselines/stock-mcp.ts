import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import process from 'node:process';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { openApiContext } from '#services/api/context.ts';
import { instructions, serverInfo } from '#services/api/mcp/call-tool.ts';
import { getShipmentDetails } from '#services/api/mcp/get-shipment-details.ts';
import { listShipmentsSummary } from '#services/api/mcp/list-shipments-summary.ts';
import type { Tool } from '#services/api/mcp/tool.ts';
import { readEnv } from '#shared/config/env.ts';
import { authenticateKey } from '#shared/core/keys/authenticate-key.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { shipmentSorts } from '#shared/domain/lists/filter.ts';
import { statuses } from '#shared/domain/record/shipment.ts';
import { lookupTypes } from '#shared/domain/registration/identifiers.ts';
import { runMain } from '#shared/lifecycle.ts';

// The SDK's own approach, as in its simpleStatelessStreamableHttp example: an McpServer with zod schemas and a
// stateless transport, both created per request, behind its Express app. The tools, the store and the key check are
// Landfall's. There are no limits, logs or scopes.

const env = readEnv(process.env);

await runMain(
  async ({ signal, onDispose }) => {
    const ctx = await openApiContext(env, { signal });
    onDispose(ctx.close);
    const app = createMcpExpressApp();
    app.post('/v1/mcp', async (request: IncomingMessage & { body: unknown }, response: ServerResponse) => {
      const presented = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      const key = await authenticateKey(ctx.core, presented).catch(() => null);
      if (key === null) {
        response.writeHead(401).end();
        return;
      }
      const { accountId, keyId, scopes, test } = key;
      const caller: Caller = { accountId, keyId, scopes, test, requestId: 'bench', idempotency: null };
      const server = buildServer((tool, args) => tool.call(ctx, caller, args) as Promise<CallToolResult>);
      // Without a session ID generator the transport is stateless.
      const transport = new StreamableHTTPServerTransport({});
      await server.connect(transport as Parameters<McpServer['connect']>[0]);
      await transport.handleRequest(request, response, request.body);
      response.on('close', () => {
        void transport.close();
        void server.close();
      });
    });
    const http: Server = app.listen(env.PORT, env.HOST, () => {
      const address = http.address();
      if (address === null || typeof address === 'string') throw new Error('the server has no port');
      process.send?.({ type: 'ready', url: `http://127.0.0.1:${address.port}` });
    });
    onDispose(() => http.close());
  },
  { deadlineMs: 5000 },
);

type Call = (tool: Tool, args: Record<string, unknown>) => Promise<CallToolResult>;

function buildServer(call: Call): McpServer {
  const server = new McpServer(serverInfo, { instructions });
  const { definition: list } = listShipmentsSummary;
  const { definition: details } = getShipmentDetails;
  server.registerTool(
    list.name,
    {
      title: list.title,
      description: list.description,
      inputSchema: {
        query: z.string().min(3).describe('Part of any number, reference, vessel or place').optional(),
        status: z.array(z.enum(statuses)).optional(),
        transport_mode: z.array(z.enum(transportModes)).optional(),
        carrier: z.array(z.string()).describe('Codes or names, such as MAEU').optional(),
        reference: z.string().describe("The client's own id").optional(),
        tag: z.string().optional(),
        origin: z.string().describe('UN/LOCODE, IATA or country code, or name').optional(),
        destination: z.string().describe('As origin').optional(),
        eta_from: z.string().describe('Date or ISO time').optional(),
        eta_to: z.string().optional(),
        updated_since: z.string().optional(),
        has_exception: z.boolean().optional(),
        delayed_min_hours: z.number().optional(),
        stale: z.boolean().describe('No recent reading').optional(),
        sort: z.enum(shipmentSorts).default('-created_at'),
        limit: z.int().min(1).max(50).default(20),
        cursor: z.string().optional(),
      },
      outputSchema: {
        as_of: z.string(),
        shipments: z.array(
          z.object({
            shipment_id: z.string(),
            status: z.string(),
            transport_mode: z.string(),
            carrier: z.string().optional(),
            identifier: z.string().optional(),
            reference: z.string().optional(),
            origin: z.string().optional(),
            destination: z.string().optional(),
            eta: z.string().optional(),
            delay_hours: z.number().optional(),
            exception: z.string().optional(),
            last_event: z.string().optional(),
            last_event_at: z.string().optional(),
            stale: z.boolean().optional(),
          }),
        ),
        total: z.number(),
        total_is_lower_bound: z.boolean().optional(),
        counts_by_status: z.looseObject({}),
        stale_count: z.number(),
        has_more: z.boolean(),
        next_cursor: z.string().optional(),
      },
      annotations: list.annotations,
    },
    (args) => call(listShipmentsSummary, args),
  );
  const instead = z.string().describe('Instead of identifier').optional();
  server.registerTool(
    details.name,
    {
      title: details.title,
      description: details.description,
      inputSchema: {
        identifier: z.string().describe('The number, whatever its kind').optional(),
        identifier_type: z.enum(lookupTypes).default('auto'),
        shipment_id: instead,
        tracking_number: instead,
        bol: instead,
        awb: instead,
        container: instead,
        carrier: z.string().describe('Code or name, to narrow').optional(),
        transport_mode: z.enum(transportModes).optional(),
        response_format: z.enum(['concise', 'detailed']).default('concise'),
      },
      outputSchema: {
        shipment_id: z.string().optional(),
        status: z.string().optional(),
        status_evidence: z.looseObject({}).optional(),
        transport_mode: z.string().optional(),
        carrier: z.string().optional(),
        identifiers: z.looseObject({}).optional(),
        current_location: z.string().optional(),
        origin: z.string().optional(),
        destination: z.string().optional(),
        departure: z.looseObject({}).optional(),
        arrival: z.looseObject({}).optional(),
        delay_hours: z.number().optional(),
        delivery: z.looseObject({}).optional(),
        exceptions: z.array(z.unknown()).optional(),
        legs: z.array(z.unknown()).optional(),
        containers: z.array(z.unknown()).optional(),
        events: z.array(z.unknown()).optional(),
        tracking: z.looseObject({}).optional(),
        data_as_of: z.string().optional(),
        stale_because: z.string().optional(),
        matches: z.array(z.unknown()).optional(),
      },
      annotations: details.annotations,
    },
    (args) => call(getShipmentDetails, args),
  );
  return server;
}
