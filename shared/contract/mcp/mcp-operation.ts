import { z } from 'zod';
import type { Operations } from '../operation.ts';

const version = z.literal('2.0').meta({ description: 'JSON-RPC version.' });
const id = z
  .union([z.string(), z.number(), z.null()])
  .meta({ description: 'Matches a response to its request.', examples: [1] });

const rpcMessage = z
  .looseObject({
    jsonrpc: version,
    method: z
      .string()
      .optional()
      .meta({ description: 'Method. Absent in a response of the client.', examples: ['tools/list'] }),
    params: z.looseObject({}).optional().meta({ description: 'Parameters of the method.' }),
    id: id
      .optional()
      .meta({ description: 'Id of your choice. A message without one is a notification and gets no response.' }),
  })
  .meta({ id: 'RpcMessage', description: 'A JSON-RPC 2.0 message.' });

const rpcAnswer = z
  .looseObject({
    jsonrpc: version,
    id: id.optional(),
    result: z.looseObject({}).optional().meta({ description: 'Result of the method. Absent if there is an error.' }),
    error: z
      .looseObject({
        code: z.int().meta({ description: 'JSON-RPC or MCP error code.', examples: [-32_601] }),
        message: z.string().meta({ description: 'Explanation of the error.' }),
      })
      .optional()
      .meta({ description: 'The error. A failed tool call returns a result with `isError` instead.' }),
  })
  .meta({ id: 'RpcAnswer', description: 'A JSON-RPC 2.0 response.' });

export const mcpOperations = {
  mcp: {
    access: 'key',
    method: 'POST',
    path: '/v1/mcp',
    tag: 'MCP',
    summary: 'Model Context Protocol endpoint',
    description:
      'Stateless JSON-RPC 2.0 over HTTP for MCP clients. Two read-only tools: `list_shipments_summary` and ' +
      '`get_shipment_details`.',
    scope: 'shipments:read',
    limit: 'mcp',
    anyAccept: true,
    body: {
      schema: z.union([rpcMessage, z.array(rpcMessage).min(1).max(10)]),
      description: 'A JSON-RPC message, or a batch of at most 10.',
      examples: {
        tools: { summary: 'List the tools', value: { jsonrpc: '2.0', method: 'tools/list', id: 1 } },
        list: {
          summary: 'List delayed shipments',
          value: {
            jsonrpc: '2.0',
            method: 'tools/call',
            id: 2,
            params: { name: 'list_shipments_summary', arguments: { delayed_min_hours: 24 } },
          },
        },
        notification: {
          summary: 'Send a notification, which gets no response',
          value: { jsonrpc: '2.0', method: 'notifications/initialized' },
        },
      },
    },
    answers: {
      200: {
        description:
          'The JSON-RPC response, or one per request of a batch. Sent as one server-sent event if `Accept` includes ' +
          '`text/event-stream`.',
        schema: z.union([rpcAnswer, z.array(rpcAnswer)]),
        moreMediaTypes: ['text/event-stream'],
      },
      202: { description: 'Only notifications were sent, so there is no response.' },
      400: {
        description: 'A JSON-RPC error: the message is not JSON-RPC 2.0, or the MCP version is not supported.',
        schema: rpcAnswer,
      },
      404: {
        description: 'A JSON-RPC error: unknown method, in a request of revision 2026-07-28.',
        schema: rpcAnswer,
      },
    },
    errors: ['host_not_allowed', 'origin_not_allowed'],
  },
} as const satisfies Operations;
