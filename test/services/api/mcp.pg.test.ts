import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api.ts';
import { sendRaw } from '#test/support/raw-http.ts';

let api: TestApi;
let client: Client;
const mbl = 'MAEU700000001';
const container = 'MSKU1234565';

beforeAll(async () => {
  api = await startTestApi();
  for (const identifiers of [{ mbl }, { mbl: 'MAEU700000002' }, { container }]) {
    expect((await api.post('/v1/shipments', { transport_mode: 'ocean', carrier: 'MAEU', identifiers })).status).toBe(201);
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

const list = { jsonrpc: '2.0', method: 'tools/list', id: 1 };
const call = (name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: args }) as Promise<{ content: { text: string }[]; structuredContent?: Json; isError?: boolean }>;
const rpc = (body: unknown, headers: Record<string, string> = {}) => api.post('/v1/mcp', body, headers);

describe('the protocol', () => {
  it('answers the request of the interface document, with only its headers, as plain JSON', async () => {
    const body = JSON.stringify(list);
    const head = [
      'POST /v1/mcp HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${api.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    const answer = await sendRaw(api.url, `${head.join('\r\n')}\r\n\r\n${body}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    expect(JSON.parse(answer.body).result.tools.map((tool: { name: string }) => tool.name)).toEqual([
      'list_shipments_summary',
      'get_shipment_details',
    ]);
  });

  it('answers one server-sent event when the client reads those', async () => {
    const answer = await rpc(list, { accept: 'application/json, text/event-stream' });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const text = await answer.text();
    expect(text).toMatch(/^event: message\ndata: \{.*\}\n\n$/);
    for (const accept of ['application/json', '*/*', 'text/html']) {
      expect((await rpc(list, { accept })).headers.get('content-type')).toContain('application/json');
    }
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'agrees on revision %s and gives no session',
    async (protocolVersion) => {
      const answer = await rpc({
        jsonrpc: '2.0',
        id: 'a',
        method: 'initialize',
        params: { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      });
      expect(answer.headers.get('mcp-session-id')).toBeNull();
      expect(await jsonOf(answer)).toMatchObject({ id: 'a', result: { protocolVersion, serverInfo: { name: 'landfall' } } });
      expect((await rpc({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
      expect(await jsonOf(await rpc({ jsonrpc: '2.0', id: 2, method: 'ping' }))).toMatchObject({ id: 2, result: {} });
    },
  );

  it('serves the revision 2026-07-28 without initialize', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const listed = await rpc({ ...list, params: { _meta: meta } }, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' });
    const { result } = await jsonOf(listed);
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' });
    expect(result.tools).toHaveLength(2);
    const params = { _meta: meta, name: 'get_shipment_details', arguments: { identifier: mbl } };
    const called = await rpc(
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'get_shipment_details' },
    );
    expect((await jsonOf(called)).result.structuredContent).toMatchObject({ status: 'pending', identifiers: { mbl } });
    const discovered = await rpc(
      { jsonrpc: '2.0', id: 4, method: 'server/discover', params: { _meta: meta } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
    );
    expect((await jsonOf(discovered)).result.supportedVersions).toContain('2026-07-28');
    const unknown = await rpc(
      { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { ...params, name: 'nothing' } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'nothing' },
    );
    expect((await jsonOf(unknown)).error.code).toBe(-32_602);
    const mismatched = await rpc(
      { ...list, params: { _meta: meta } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' },
    );
    expect([mismatched.status, (await jsonOf(mismatched)).error.code]).toEqual([400, -32_020]);
    const listen = await rpc(
      { jsonrpc: '2.0', id: 6, method: 'subscriptions/listen', params: { _meta: meta, notifications: { toolsListChanged: true } } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    );
    expect((await jsonOf(listen)).error).toBeDefined();
  });

  it('answers errors in the body as JSON-RPC and the others as HTTP', async () => {
    const code = async (answer: Response) => [answer.status, (await jsonOf(answer)).error?.code];
    expect(await code(await rpc('{nope'))).toEqual([400, -32_700]);
    expect(await code(await rpc(''))).toEqual([400, -32_700]);
    for (const body of [
      [],
      {},
      'null',
      '7',
      { jsonrpc: '1.0', method: 'ping', id: 1 },
      { jsonrpc: '2.0', id: 1 },
      Array.from({ length: 11 }, () => list),
    ]) {
      expect(await code(await rpc(body))).toEqual([400, -32_600]);
    }
    expect(await code(await rpc({ jsonrpc: '2.0', id: 1, method: 'resources/list' }))).toEqual([200, -32_601]);
    expect(await code(await rpc({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'nothing' } }))).toEqual([200, -32_602]);
    expect((await rpc(list, { authorization: 'Bearer x' })).status).toBe(401);
    expect((await api.request('/v1/mcp', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });

  it('answers batches, also with a cancellation in them', async () => {
    const answers = await jsonOf(
      await rpc([
        list,
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
        { jsonrpc: '2.0', id: 2, method: 'ping' },
      ]),
    );
    expect(answers.map((answer: { id: number }) => answer.id)).toEqual([1, 2]);
  });

  it('refuses foreign origins and host names', async () => {
    expect((await rpc(list, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await rpc(list, { origin: 'null' })).status).toBe(403);
    expect((await rpc(list, { origin: 'http://localhost:6274' })).status).toBe(200);
    const body = JSON.stringify(list);
    const head = [
      'POST /v1/mcp HTTP/1.1',
      'Host: rebound.example',
      `Authorization: Bearer ${api.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    expect((await sendRaw(api.url, `${head.join('\r\n')}\r\n\r\n${body}`)).status).toBe(403);
  });
});

describe('the tools', () => {
  it('are exactly two, read-only, within their budget of tokens', async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => [tool.name, Object.keys(tool.inputSchema.properties ?? {}), tool.annotations])).toMatchSnapshot();
    // JSON of this kind has about 3.7 characters a token.
    expect(JSON.stringify(tools).length).toBeLessThan(1300 * 3.7);
  });

  it('list with counts of the whole set, absent instead of null', async () => {
    const { structuredContent, content } = await call('list_shipments_summary', { limit: 1 });
    expect(structuredContent).toMatchObject({ total: 3, counts_by_status: { pending: 3 }, has_more: true });
    expect(structuredContent.shipments).toHaveLength(1);
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
    expect(content[0]?.text).not.toContain('null');
    const next = await call('list_shipments_summary', { limit: 50, cursor: structuredContent.next_cursor });
    expect(next.structuredContent.shipments).toHaveLength(2);
    expect((await call('list_shipments_summary', { query: '700000002' })).structuredContent.total).toBe(1);
    expect((await call('list_shipments_summary', { status: ['delivered'] })).structuredContent).toMatchObject({ total: 0, shipments: [] });
  });

  it.each([
    ['identifier', mbl],
    ['bol', mbl],
    ['tracking_number', mbl],
    ['identifier', mbl.toLowerCase()],
    ['container', container],
    ['identifier', container],
  ])('find a shipment by %s %s', async (name, number) => {
    const { structuredContent, isError } = await call('get_shipment_details', { [name]: number, response_format: 'detailed' });
    expect(isError).toBeFalsy();
    expect(structuredContent).toMatchObject({ status: 'pending', carrier: 'MAEU', tracking: { state: 'queued' } });
    const again = await call('get_shipment_details', { shipment_id: structuredContent.shipment_id });
    expect(again.structuredContent.shipment_id).toBe(structuredContent.shipment_id);
  });

  it('give candidates when several match', async () => {
    const made = await api.post('/v1/shipments', {
      transport_mode: 'ocean',
      carrier: 'HLCU',
      identifiers: { mbl: 'HLCU700000009', hbl: mbl },
    });
    expect(made.status).toBe(201);
    const { structuredContent, isError } = await call('get_shipment_details', { identifier: mbl });
    expect(isError).toBeFalsy();
    expect(structuredContent.matches).toHaveLength(2);
    expect((await call('get_shipment_details', { identifier: mbl, carrier: 'MAEU' })).structuredContent.status).toBe('pending');
  });

  it('say what to do when nothing is found', async () => {
    const text = (await call('get_shipment_details', { container: 'MSKU1234560' })).content[0]?.text ?? '';
    expect(text).toContain('5 was expected');
    expect(text).toContain(container);
    expect(text).toContain('POST /v1/shipments');
  });

  it('name every wrong argument at once', async () => {
    const details = await call('get_shipment_details', { identifer: 'x', response_format: 'long' });
    expect(details.isError).toBe(true);
    expect(details.content[0]?.text).toMatch(/did you mean identifier\?.*concise, detailed.*Give identifier/s);
    const listed = await call('list_shipments_summary', { limit: 51, statuses: [], account_id: 'other' });
    expect(listed.content[0]?.text).toMatch(/statuses.*did you mean status\?/s);
    expect(listed.content[0]?.text).toContain('limit');
  });

  it('do not see shipments of the other kind of key', async () => {
    const testKey = await api.createKey({ test: true });
    const answer = await rpc(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_shipments_summary', arguments: {} } },
      { authorization: `Bearer ${testKey.secret}` },
    );
    expect((await jsonOf(answer)).result.structuredContent.total).toBe(0);
  });
});
