import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type HealthOptions = {
  host: string;
  port: number;
  /** False while the worker starts, drains or has lost what it needs. */
  isReady: () => boolean | Promise<boolean>;
  /** Every metric in Prometheus's text format; null: none are collected. */
  readMetrics: () => Promise<string> | null;
};

export type HealthServer = { url: string; close: () => Promise<void> };

/** Serves `/livez` (the process answers), `/readyz` (it takes jobs; else 503) and `/metrics` on a port of their own. */
export async function openHealth(options: HealthOptions): Promise<HealthServer> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/metrics') return sendMetrics(response, options.readMetrics);
    const isProbe = path === '/livez' || path === '/readyz';
    const isWell = path === '/livez' || (path === '/readyz' && (await Promise.resolve(options.isReady()).catch(() => false)));
    response.writeHead(isWell ? 200 : isProbe ? 503 : 404, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify({ status: isWell ? 'ok' : isProbe ? 'unavailable' : 'not_found' }));
  });
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(options.port, options.host, resolve);
  await listening;
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    close: () => {
      const { promise: closed, resolve: done } = Promise.withResolvers<void>();
      server.close(() => done());
      server.closeAllConnections();
      return closed;
    },
  };
}

async function sendMetrics(response: ServerResponse, readMetrics: HealthOptions['readMetrics']): Promise<void> {
  const metrics = await Promise.resolve(readMetrics()).catch(() => null);
  response.writeHead(metrics === null ? 503 : 200, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(metrics ?? '# telemetry was not loaded or is turned off\n');
}
