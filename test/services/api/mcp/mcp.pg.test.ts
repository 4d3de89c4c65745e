import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';

let api: TestApi;
let client: Client;
const mbl = 'MAEU700000001';
const container = 'MSKU1234565';

beforeAll(async () => {
  api = await startTestApi();
  for (const identifiers of [{ mbl }, { mbl: 'MAEU700000002' }, { container }]) {
    expect((await api.post('/v1/shipments', { transport_mode: 'ocean', carrier: 'MAEU', identifiers })).status).toBe(
      201,
    );
  }
  client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${api.url}/v1/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${api.key}` } },
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
});
afterAll(async () => {
  await client.close();
  await api.close();
});

const call = (name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: args }) as Promise<{
    content: { text: string }[];
    structuredContent?: Json;
    isError?: boolean;
  }>;
const rpc = (body: unknown, headers: Record<string, string> = {}) => api.post('/v1/mcp', body, headers);

describe('the tools', () => {
  it('are exactly two, and read-only', async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['list_shipments_summary', 'get_shipment_details']);
    for (const { annotations } of tools) {
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }
  });

  it('list with counts of the whole result, and omit null values', async () => {
    const { structuredContent, content } = await call('list_shipments_summary', { limit: 1 });
    expect(structuredContent).toMatchObject({ total: 3, counts_by_status: { pending: 3 }, has_more: true });
    expect(structuredContent.shipments).toHaveLength(1);
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    expect(content[0]?.text).not.toContain('null');
    const next = await call('list_shipments_summary', { limit: 50, cursor: structuredContent.next_cursor });
    expect(next.structuredContent.shipments).toHaveLength(2);
    expect((await call('list_shipments_summary', { query: '700000002' })).structuredContent.total).toBe(1);
    expect((await call('list_shipments_summary', { status: ['delivered'] })).structuredContent).toMatchObject({
      total: 0,
      shipments: [],
    });
  });

  it.each([
    ['identifier', mbl],
    ['bol', mbl],
    ['tracking_number', mbl],
    ['identifier', mbl.toLowerCase()],
    ['container', container],
    ['identifier', container],
  ])('find a shipment by %s %s', async (name, number) => {
    const { structuredContent, isError } = await call('get_shipment_details', {
      [name]: number,
      response_format: 'detailed',
    });
    expect(isError).toBeFalsy();
    expect(structuredContent).toMatchObject({ status: 'pending', carrier: 'MAEU', tracking: { state: 'queued' } });
    const again = await call('get_shipment_details', { shipment_id: structuredContent.shipment_id });
    expect(again.structuredContent.shipment_id).toBe(structuredContent.shipment_id);
  });

  it('return candidates when several match', async () => {
    const made = await api.post('/v1/shipments', {
      transport_mode: 'ocean',
      carrier: 'HLCU',
      identifiers: { mbl: 'HLCU700000009', hbl: mbl },
    });
    expect(made.status).toBe(201);
    const { structuredContent, isError } = await call('get_shipment_details', { identifier: mbl });
    expect(isError).toBeFalsy();
    expect(structuredContent.matches).toHaveLength(2);
    expect((await call('get_shipment_details', { identifier: mbl, carrier: 'MAEU' })).structuredContent.status).toBe(
      'pending',
    );
  });

  it('suggest what to do when nothing is found', async () => {
    const text = (await call('get_shipment_details', { container: 'MSKU1234560' })).content[0]?.text ?? '';
    expect(text).toContain('expected 5');
    expect(text).toContain(container);
    expect(text).toContain('POST /v1/shipments');
  });

  it('name every wrong argument at once', async () => {
    const details = await call('get_shipment_details', { identifer: 'x', response_format: 'long' });
    expect(details.isError).toBe(true);
    for (const reported of ['Did you mean identifier?', 'concise, detailed', 'identifier is required']) {
      expect(details.content[0]?.text).toContain(reported);
    }
    const listed = await call('list_shipments_summary', { limit: 51, statuses: [], account_id: 'other' });
    expect(listed.content[0]?.text).toMatch(/statuses.*Did you mean status\?/s);
    expect(listed.content[0]?.text).toContain('limit');
  });

  it('hide shipments of the other kind of key', async () => {
    const testKey = await api.createKey({ test: true });
    const answer = await rpc(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_shipments_summary', arguments: {} } },
      { authorization: `Bearer ${testKey.secret}` },
    );
    expect((await jsonOf(answer)).result.structuredContent.total).toBe(0);
  });
});
