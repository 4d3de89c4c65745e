import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetch } from 'undici';
import { currentTraceId, inSpan, setHttpRoute } from '#shared/telemetry/events.ts';
import { recordSeconds } from '#shared/telemetry/instruments.ts';
import { shutdownTelemetry } from '#shared/telemetry/sdk.ts';

// A service for tests: calls the upstream in its first argument and returns its trace id and what the upstream saw.
const [upstream] = process.argv.slice(2);
const server = createServer((request, response) => {
  const startedAtMs = performance.now();
  setHttpRoute('GET', '/things/:id');
  void inSpan('work', { attributes: { 'carrier.code': 'TEST' } }, async () => {
    if (request.url?.startsWith('/fail')) throw Object.assign(new Error('secret of an error'), { code: 'E_TEST' });
    const seen = upstream === undefined ? {} : await (await fetch(`${upstream}/events?key=secret-in-query`)).json();
    const seconds = (performance.now() - startedAtMs) / 1000;
    recordSeconds('landfall.carrier.request.duration', seconds, { carrier: 'TEST', outcome: 'ok' });
    return { traceId: currentTraceId(), seen };
  }).then(
    (body) => response.end(JSON.stringify(body)),
    () => response.writeHead(500).end('{}'),
  );
});
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port, startedAfterMs: performance.now() }),
);
process.on('message', () => {
  server.closeAllConnections();
  server.close();
  void shutdownTelemetry().then(() => process.disconnect());
});
