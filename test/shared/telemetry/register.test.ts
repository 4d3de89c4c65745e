import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { compileCache } from '#infra/scripts/run-steps.ts';
import { openOtlpReceiver } from '#test/support/api/otlp-receiver.ts';

const cleanups: (() => unknown)[] = [];
const clientTraceId = '0af7651916cd43dd8448eb211c80319c';
const clientTraceparent = `00-${clientTraceId}-b7ad6b7169203331-01`;

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

it('makes one trace of a request and its carrier call, named after the route', async () => {
  const { receiver, ask } = await tracedApp();
  const { traceId } = await ask('/things/12?x=secret-in-query');
  const server = await receiver.waitFor(({ kind }) => kind === 2);
  const client = await receiver.waitFor(({ kind }) => kind === 3);
  const work = await receiver.waitFor(({ name }) => name === 'work');
  expect(server).toMatchObject({
    name: 'GET /things/:id',
    traceId,
    parentSpanId: null,
    service: 'landfall-traced-app',
  });
  expect(server.attributes['http.route']).toBe('/things/:id');
  expect(work).toMatchObject({ traceId, parentSpanId: server.spanId });
  expect(client).toMatchObject({ traceId, parentSpanId: work.spanId });
});

it('links to the trace of a client instead of joining it', async () => {
  const { receiver, ask } = await tracedApp();
  const { traceId } = await ask('/things/12', { traceparent: clientTraceparent });
  const server = await receiver.waitFor(({ kind }) => kind === 2);
  expect(traceId).not.toBe(clientTraceId);
  expect(server).toMatchObject({
    traceId,
    parentSpanId: null,
    links: [{ traceId: clientTraceId, spanId: 'b7ad6b7169203331' }],
  });
});

it('sends no trace headers to a carrier', async () => {
  const { ask } = await tracedApp();
  const { seen } = await ask('/things/12');
  expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['traceparent']));
  expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['tracestate']));
});

it('exports the type of an error, but no query string, header or error message', async () => {
  const { receiver, ask } = await tracedApp();
  await ask('/things/12?x=secret-in-query', { authorization: 'Bearer secret-in-header', 'user-agent': 'secret-agent' });
  await ask('/fail?x=secret-in-query');
  const failed = await receiver.waitFor(({ name, status }) => name === 'work' && status === 2);
  await receiver.waitFor(({ kind }) => kind === 3);
  await receiver.waitFor(({ kind, status }) => kind === 2 && status === 2);
  expect(failed.attributes['error.type']).toBe('E_TEST');
  expect(receiver.bodies.join('\n')).not.toContain('secret');
});

it('does not trace health checks', async () => {
  const { receiver, ask } = await tracedApp();
  await ask('/livez');
  await ask('/readyz');
  await ask('/things/12');
  await receiver.waitFor(({ kind }) => kind === 2);
  expect(receiver.spans.filter(({ kind }) => kind === 2)).toHaveLength(1);
});

it('flushes buffered spans at shutdown', async () => {
  const { receiver, ask, app } = await tracedApp({ OTEL_BSP_SCHEDULE_DELAY: '60000' });
  await ask('/things/12');
  app.send('stop');
  await receiver.waitFor(({ kind }) => kind === 2);
});

it('exports the metrics of the catalogue, none of the instrumentations, and none at all when turned off', async () => {
  const { receiver, ask, app } = await tracedApp();
  await ask('/things/12');
  app.send('stop');
  await once(app, 'disconnect');
  const metrics = receiver.bodies.filter((body) => body.includes('resourceMetrics')).join('\n');
  expect(metrics).toContain('landfall.carrier.request.duration');
  expect(metrics).not.toMatch(/"name":"(?:http|db|undici)/);
  const silent = await tracedApp({ OTEL_METRICS_EXPORTER: 'none' });
  await silent.ask('/things/12');
  silent.app.send('stop');
  await once(silent.app, 'disconnect');
  expect(silent.receiver.bodies.join('\n')).not.toContain('resourceMetrics');
});

it('gives every request a trace id without an endpoint, and none when telemetry is disabled', async () => {
  const quiet = await startApp({});
  expect((await quiet.ask('/things/12')).traceId).toMatch(/^[0-9a-f]{32}$/);
  expect((await quiet.ask('/things/12', { traceparent: clientTraceparent })).traceId).not.toBe(clientTraceId);
  const unstored = await startApp({ TRACE_STORE: 'off' });
  expect((await unstored.ask('/things/12')).traceId).toMatch(/^[0-9a-f]{32}$/);
  const disabled = await startApp({ OTEL_SDK_DISABLED: 'true' });
  expect((await disabled.ask('/things/12')).traceId).toBeNull();
});

it('shuts down within its deadline although the collector never responds', async () => {
  const deaf = createServer(() => undefined);
  deaf.listen(0, '127.0.0.1');
  await once(deaf, 'listening');
  cleanups.push(
    () => deaf.closeAllConnections(),
    () => deaf.close(),
  );
  const { ask, app } = await startApp({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    // Longer than the test may take: only the deadline of the shutdown can end it.
    OTEL_EXPORTER_OTLP_TIMEOUT: '3600000',
    OTEL_BSP_EXPORT_TIMEOUT: '3600000',
  });
  await ask('/things/12');
  app.send('stop');
  await once(app, 'disconnect');
});

async function tracedApp(env: Record<string, string> = {}) {
  const receiver = await openOtlpReceiver();
  cleanups.push(() => receiver.close());
  return { receiver, ...(await startApp({ ...receiver.env, ...env })) };
}

async function startApp(env: Record<string, string>) {
  const upstream = createServer((request, response) => response.end(JSON.stringify(request.headers)));
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  cleanups.push(() => upstream.close());
  const register = new URL('../../../shared/telemetry/register.ts', import.meta.url).href;
  const app: ChildProcess = fork(
    fileURLToPath(new URL('./traced-app.ts', import.meta.url)),
    [`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`],
    { execArgv: ['--import', register], env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...env } },
  );
  cleanups.push(() => app.kill('SIGKILL'));
  const [{ port }] = (await once(app, 'message')) as [{ port: number }];
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return (await response.json()) as { traceId: string | null; seen: Record<string, string> };
  };
  return { app, ask };
}
