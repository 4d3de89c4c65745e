import { z } from 'zod';
import type { Operation } from '../operation.ts';

const rpcMessage = z.looseObject({ jsonrpc: z.literal('2.0') });

export const mcpOperation: Operation = {
  id: 'mcp',
  method: 'POST',
  path: '/v1/mcp',
  tag: 'MCP',
  summary: 'Model Context Protocol endpoint',
  description:
    'JSON-RPC 2.0 over stateless HTTP, for MCP clients. Exactly two tools, both read-only: `list_shipments_summary` and `get_shipment_details`.',
  scope: 'shipments:read',
  limit: 'mcp',
  body: {
    schema: z.union([rpcMessage, z.array(rpcMessage).min(1).max(10)]),
    description: 'A JSON-RPC message, or a batch of at most 10.',
    examples: { tools: { summary: 'List the tools', value: { jsonrpc: '2.0', method: 'tools/list', id: 1 } } },
  },
  answers: {
    200: { description: 'The JSON-RPC answer; as one server-sent event when `Accept` names `text/event-stream`.', schema: z.unknown() },
    202: { description: 'Notifications only: there is nothing to answer.' },
    400: { description: 'The message is not JSON-RPC 2.0: a JSON-RPC error.', schema: z.looseObject({ jsonrpc: z.literal('2.0') }) },
  },
  errors: ['host_not_allowed', 'origin_not_allowed'],
};
