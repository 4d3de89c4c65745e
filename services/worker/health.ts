import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type HealthOptions = {
  host: string;
  port: number;
  /** Why the worker takes no jobs: it starts, drains or has lost what it needs; null while it does. */
  findObstacle: () => string | null | Promise<string | null>;
  /** Every metric in Prometheus's text format; null: none are collected. */
  readMetrics: () => Promise<string> | null;
};

export type HealthServer = { url: string; close: () => Promise<void> };

/** Serves `/livez` (the process answers), `/readyz` (it takes jobs; else 503) and `/metrics` on a port of their own. */
export async function openHealth(options: HealthOptions): Promise<HealthServer> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/metrics') return sendMetrics(response, options.readMetrics);
    if (path === '/livez') return sendStatus(response, 200, { status: 'ok' });
    if (path !== '/readyz') return sendStatus(response, 404, { status: 'not_found' });
    const obstacle = await askObstacle(options);
    if (obstacle === null) sendStatus(response, 200, { status: 'ok' });
    else sendStatus(response, 503, { status: 'unavailable', reason: obstacle });
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

async function askObstacle({ findObstacle }: HealthOptions): Promise<string | null> {
  try {
    return await findObstacle();
  } catch {
    return 'the worker cannot tell';
  }
}

function sendStatus(response: ServerResponse, status: number, body: { status: string; reason?: string }): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

async function sendMetrics(response: ServerResponse, readMetrics: HealthOptions['readMetrics']): Promise<void> {
  const metrics = await Promise.resolve(readMetrics()).catch(() => null);
  response.writeHead(metrics === null ? 503 : 200, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(metrics ?? '# telemetry was not loaded or is turned off\n');
}
