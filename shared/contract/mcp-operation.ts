import { z } from 'zod';
import type { Operations } from './operation.ts';

const version = z.literal('2.0').meta({ description: 'The version of JSON-RPC.' });
const id = z
  .union([z.string(), z.number(), z.null()])
  .meta({ description: 'Ties an answer to its request.', examples: [1] });

const rpcMessage = z
  .looseObject({
    jsonrpc: version,
    method: z
      .string()
      .optional()
      .meta({ description: 'What is asked for; absent in a client’s answer.', examples: ['tools/list'] }),
    params: z.looseObject({}).optional().meta({ description: 'The arguments of the method.' }),
    id: id
      .optional()
      .meta({ description: 'Of your choice; a message without one is a notification and gets no answer.' }),
  })
  .meta({ id: 'RpcMessage', description: 'One JSON-RPC 2.0 message.' });

const rpcAnswer = z
  .looseObject({
    jsonrpc: version,
    id: id.optional(),
    result: z.looseObject({}).optional().meta({ description: 'What the method gives; absent when there is an error.' }),
    error: z
      .looseObject({
        code: z.int().meta({ description: 'The code of JSON-RPC or MCP.', examples: [-32_601] }),
        message: z.string().meta({ description: 'The error in words.' }),
      })
      .optional()
      .meta({ description: 'Why there is no result. A tool that fails gives a result that says so.' }),
  })
  .meta({ id: 'RpcAnswer', description: 'One JSON-RPC 2.0 answer.' });

export const mcpOperations = {
  mcp: {
    access: 'key',
    method: 'POST',
    path: '/v1/mcp',
    tag: 'MCP',
    summary: 'Model Context Protocol endpoint',
    description:
      'JSON-RPC 2.0 over stateless HTTP, for MCP clients. Exactly two tools, both read-only: `list_shipments_summary` and `get_shipment_details`.',
    scope: 'shipments:read',
    limit: 'mcp',
    anyAccept: true,
    body: {
      schema: z.union([rpcMessage, z.array(rpcMessage).min(1).max(10)]),
      description: 'A JSON-RPC message, or a batch of at most 10.',
      examples: {
        tools: { summary: 'List the tools', value: { jsonrpc: '2.0', method: 'tools/list', id: 1 } },
        list: {
          summary: 'What is late',
          value: {
            jsonrpc: '2.0',
            method: 'tools/call',
            id: 2,
            params: { name: 'list_shipments_summary', arguments: { delayed_min_hours: 24 } },
          },
        },
        notification: {
          summary: 'A notification, which has no answer',
          value: { jsonrpc: '2.0', method: 'notifications/initialized' },
        },
      },
    },
    answers: {
      200: {
        description:
          'The JSON-RPC answer, or one for each request of a batch; as one server-sent event when `Accept` names `text/event-stream`.',
        schema: z.union([rpcAnswer, z.array(rpcAnswer)]),
        textMediaTypes: ['text/event-stream'],
      },
      202: { description: 'Notifications only: there is nothing to answer.' },
      400: {
        description:
          'The message is not JSON-RPC 2.0, or not of a version of MCP that is spoken here: a JSON-RPC error.',
        schema: rpcAnswer,
      },
      404: {
        description: 'There is no such method, and the request is of revision 2026-07-28: a JSON-RPC error.',
        schema: rpcAnswer,
      },
    },
    errors: ['host_not_allowed', 'origin_not_allowed'],
  },
} as const satisfies Operations;
