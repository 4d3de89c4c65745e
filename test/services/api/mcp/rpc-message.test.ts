import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { metaOf, readRpcMessage } from '#services/api/mcp/rpc-message.ts';

const anyMember = fc.oneof(
  fc.constantFrom('2.0', '1.0', 'ping', 0, -1, 1.5, '', null, true),
  fc.integer(),
  fc.string(),
  fc.object(),
);
const anyMessage = fc.oneof(
  fc.anything(),
  fc.record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), anyMember),
      id: anyMember,
      method: anyMember,
      params: anyMember,
      result: anyMember,
      error: anyMember,
    },
    { requiredKeys: [] },
  ),
);

it('parses any input without throwing, and accepts all messages that the SDK accepts', () => {
  fc.assert(
    fc.property(anyMessage, (value) => {
      const message = readRpcMessage(value);
      metaOf(value);
      if (JSONRPCMessageSchema.safeParse(value).success) expect(message.kind).not.toBe('invalid');
    }),
  );
});

it('passes on a request that the SDK accepts, with its ID and params unchanged', () => {
  const id = fc.oneof(fc.string(), fc.maxSafeInteger());
  const params = fc.option(
    fc.dictionary(
      fc.string().filter((key) => key !== '_meta' && key !== '__proto__'),
      fc.jsonValue(),
    ),
    { nil: undefined },
  );
  fc.assert(
    fc.property(id, fc.string(), params, fc.string(), (id, method, params, stranger) => {
      const message = readRpcMessage({
        jsonrpc: '2.0',
        id,
        method,
        ...(params === undefined ? {} : { params }),
        [`x${stranger}`]: 1,
      });
      if (message.kind !== 'request') throw new Error(`read as ${message.kind}`);
      expect(JSONRPCMessageSchema.safeParse(message.request).success).toBe(true);
      expect(message.request).toEqual({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    }),
  );
});
