import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { currentTraceId } from '#shared/telemetry/events.ts';
import { watchHttpServers } from '#shared/telemetry/watch-http-server.ts';

let started = 0;
let ended: ReadableSpan[] = [];
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => unknown;

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const processor = {
    onStart: () => {
      started += 1;
    },
    onEnd: (span: ReadableSpan) => void ended.push(span),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [processor] }));
  watchHttpServers();
  watchHttpServers();
});
beforeEach(async () => {
  [started, ended] = [0, []];
  answer = (_request, response) => response.end(currentTraceId());
  server = createServer((request, response) => answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
});

const port = () => (server.address() as AddressInfo).port;
const ask = (path = '/', init: RequestInit = {}) => fetch(`http://127.0.0.1:${port()}${path}`, init);
const allEnded = (count: number) => expect.poll(() => ended.length).toBe(count);

it('reads a late body in the trace of its own request, also on a kept-alive connection', async () => {
  answer = async (request, response) => {
    const before = currentTraceId();
    const seen: (string | null)[] = [];
    request.on('data', () => seen.push(currentTraceId()));
    request.once('end', () => response.end(JSON.stringify({ before, seen: [...seen, currentTraceId()] })));
  };
  const socket = connect(port(), '127.0.0.1');
  const bodies: string[] = [];
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
    for (const [, body = ''] of text.matchAll(/\r\n\r\n(\{[^}]*\})/g)) if (!bodies.includes(body)) bodies.push(body);
  });
  for (const count of [1, 2]) {
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n');
    await expect.poll(() => started).toBe(count);
    socket.write('1234');
    await expect.poll(() => bodies.length).toBe(count);
  }
  socket.destroy();
  const spans = bodies.map((body) => JSON.parse(body) as { before: string; seen: string[] });
  for (const { before, seen } of spans) expect(new Set(seen)).toEqual(new Set([before]));
  expect(spans[0]?.before).not.toBe(spans[1]?.before);
  await allEnded(2);
});

it('sets method, scheme, status and error by the conventions, and no text of the client', async () => {
  answer = (request, response) => response.writeHead(request.url === '/bad' ? 500 : 404).end();
  await ask('/secret?key=secret');
  await ask('/bad', { method: 'PATCH' });
  await allEnded(2);
  expect(
    ended.map(({ name, kind, attributes, status }) => ({ name, kind, attributes, failed: status.code === 2 })),
  ).toEqual([
    {
      name: 'GET',
      kind: 1,
      attributes: { 'http.request.method': 'GET', 'url.scheme': 'http', 'http.response.status_code': 404 },
      failed: false,
    },
    {
      name: 'PATCH',
      kind: 1,
      attributes: {
        'http.request.method': 'PATCH',
        'url.scheme': 'http',
        'http.response.status_code': 500,
        'error.type': '500',
      },
      failed: true,
    },
  ]);
});

it('does not name a span after an unknown method', async () => {
  const sent = request({ port: port(), method: 'PROPFIND', path: '/' }).end();
  await once(sent, 'response');
  await allEnded(1);
  expect(ended[0]).toMatchObject({
    name: 'HTTP',
    attributes: { 'http.request.method': '_OTHER', 'http.request.method_original': 'PROPFIND' },
  });
});

it('links to the trace of a client and never joins it', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await ask('/', { headers: { traceparent } });
  await ask('/', { headers: { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` } });
  await ask('/', { headers: { traceparent: 'nonsense' } });
  await allEnded(3);
  expect(ended.map(({ links }) => links.map((link) => link.context.traceId))).toEqual([
    ['0af7651916cd43dd8448eb211c80319c'],
    [],
    [],
  ]);
  expect(ended.filter(({ parentSpanContext }) => parentSpanContext !== undefined)).toEqual([]);
  expect(new Set(ended.map((span) => span.spanContext().traceId)).size).toBe(3);
});

it('ends the span of a disconnected client once, without a status code', async () => {
  answer = () => undefined;
  const socket = connect(port(), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await expect.poll(() => started).toBe(1);
  socket.destroy();
  await allEnded(1);
  expect(ended[0]?.attributes).not.toHaveProperty(['http.response.status_code']);
});

it('ends the spans of pipelined requests when their connection breaks', async () => {
  answer = (request, response) => request.url !== '/first' && response.end('late');
  const socket = connect(port(), '127.0.0.1');
  socket.write(
    'GET /first HTTP/1.1\r\nhost: a\r\n\r\nGET /second HTTP/1.1\r\nhost: a\r\n\r\nGET /third HTTP/1.1\r\nhost: a\r\n\r\n',
  );
  await expect.poll(() => started).toBe(3);
  socket.destroy();
  await allEnded(3);
});

it('ignores health checks, metrics and OPTIONS requests', async () => {
  await ask('/livez');
  await ask('/readyz?verbose=1');
  await ask('/metrics');
  await ask('/', { method: 'OPTIONS' });
  expect(started).toBe(0);
});
