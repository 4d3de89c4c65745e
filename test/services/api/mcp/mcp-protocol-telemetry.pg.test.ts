import { type Attributes, context, type MeterProvider, metrics, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';

type Recorded = { name: string; unit: string | undefined; value: number; attributes: Attributes };

const spans = new InMemorySpanExporter();
const recorded: Recorded[] = [];
let api: TestApi;

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }));
  const createHistogram = (name: string, options?: { unit?: string }) => ({
    record: (value: number, attributes: Attributes = {}) => {
      if (name.startsWith('mcp.')) recorded.push({ name, unit: options?.unit, value, attributes });
    },
  });
  metrics.setGlobalMeterProvider({
    getMeter: () => ({ createHistogram, createCounter: () => ({ add: () => undefined }) }),
  } as unknown as MeterProvider);
  api = await startTestApi();
});
afterAll(() => api.close());
beforeEach(() => {
  spans.reset();
  recorded.length = 0;
});

const clientTrace = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${clientTrace}-b7ad6b7169203331-01`;
const modernVersion = '2026-07-28';
const claim = {
  'io.modelcontextprotocol/protocolVersion': modernVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Sent = { method: string; params?: Record<string, unknown>; version?: string };
async function send({ method, params = {}, version }: Sent): Promise<void> {
  const headers =
    version === undefined
      ? {}
      : { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': String(params.name) };
  await (await api.post('/v1/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers)).text();
}
const seen = () => spans.getFinishedSpans().filter(({ attributes }) => 'mcp.method.name' in attributes);

it.each<[string, Sent, Attributes]>([
  [
    'tools/call list_shipments_summary',
    { method: 'tools/call', params: { name: 'list_shipments_summary' }, version: '2025-06-18' },
    {},
  ],
  [
    'tools/call list_shipments_summary',
    { method: 'tools/call', params: { name: 'list_shipments_summary', _meta: claim }, version: modernVersion },
    {},
  ],
  [
    'tools/call get_shipment_details',
    { method: 'tools/call', params: { name: 'get_shipment_details' }, version: '2025-06-18' },
    { 'error.type': 'tool_error' },
  ],
  [
    'tools/call get_shipment_details',
    { method: 'tools/call', params: { name: 'get_shipment_details', _meta: claim }, version: modernVersion },
    { 'error.type': 'tool_error' },
  ],
])('records a call as the server span %s and one histogram value', async (name, sent, error) => {
  await send(sent);
  const attributes = {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': sent.params?.name,
    'mcp.protocol.version': sent.version,
    ...error,
  };
  expect(seen().map((span) => [span.name, span.kind, span.attributes, span.links])).toEqual([
    [name, SpanKind.SERVER, attributes, []],
  ]);
  expect(recorded).toEqual([
    { name: 'mcp.server.operation.duration', unit: 's', value: expect.any(Number), attributes },
  ]);
  expect(recorded[0]?.value).toBeGreaterThan(0);
});

it.each<[string, Sent, Attributes]>([
  ['tools/list', { method: 'tools/list' }, { 'mcp.method.name': 'tools/list' }],
  [
    'initialize',
    {
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    },
    { 'mcp.method.name': 'initialize', 'mcp.protocol.version': '2025-06-18' },
  ],
  [
    'server/discover',
    { method: 'server/discover', params: { _meta: claim }, version: modernVersion },
    { 'mcp.method.name': 'server/discover', 'mcp.protocol.version': modernVersion },
  ],
  [
    '_OTHER',
    { method: 'made-up/8472', params: { _meta: claim }, version: modernVersion },
    { 'mcp.method.name': '_OTHER', 'mcp.protocol.version': modernVersion, 'error.type': '-32601' },
  ],
  ['_OTHER', { method: 'made-up/8472' }, { 'mcp.method.name': '_OTHER', 'error.type': '-32601' }],
  [
    'tools/call',
    { method: 'tools/call', params: { name: 'made-up-8472' } },
    { 'mcp.method.name': 'tools/call', 'gen_ai.operation.name': 'execute_tool', 'error.type': '-32602' },
  ],
  [
    'tools/call',
    { method: 'tools/call', params: { name: 'made-up-8472', _meta: claim }, version: modernVersion },
    {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'mcp.protocol.version': modernVersion,
      'error.type': '-32602',
    },
  ],
])('records %s as a span too, with names that clients cannot choose', async (name, sent, attributes) => {
  await send(sent);
  expect(seen().map((span) => [span.name, span.attributes])).toEqual([[name, attributes]]);
  expect(recorded.map((one) => one.attributes)).toEqual([attributes]);
  expect(JSON.stringify([seen().map((span) => [span.name, span.attributes]), recorded])).not.toContain('8472');
});

it.each([
  ['2025-06-18', {}],
  [modernVersion, claim],
])('links the client’s trace instead of joining it (%s)', async (version, meta) => {
  await send({
    method: 'tools/call',
    params: { name: 'list_shipments_summary', _meta: { ...meta, traceparent } },
    version,
  });
  const [span] = seen();
  expect(span?.links.map((link) => link.context.traceId)).toEqual([clientTrace]);
  expect(span?.spanContext().traceId).not.toBe(clientTrace);
  expect(span?.parentSpanContext?.spanId).not.toBe('b7ad6b7169203331');
});

it.each([7, '', 'nonsense', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, { deep: [] }, 'x'.repeat(50_000)])(
  'ignores an invalid traceparent: %j',
  async (malformed) => {
    await send({ method: 'tools/call', params: { name: 'list_shipments_summary', _meta: { traceparent: malformed } } });
    expect(seen().map(({ links }) => links)).toEqual([[]]);
  },
);

it('measures each request of a batch, but not notifications', async () => {
  const request = (method: string) => ({ jsonrpc: '2.0', id: 1, method });
  await api.post('/v1/mcp', [
    request('ping'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    request('tools/list'),
  ]);
  expect(recorded.map(({ attributes }) => attributes['mcp.method.name']).toSorted()).toEqual(['ping', 'tools/list']);
});
