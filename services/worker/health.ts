import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type HealthOptions = {
  host: string;
  port: number;
  /**
   * Returns whether a `Host` header is served, so that no website can read the port through a browser (DNS rebinding).
   */
  isAllowedHost: (header: string | undefined) => boolean;
  /**
   * Returns the reason why the worker takes no jobs: it is starting, draining or has lost a dependency. Null: it takes
   * jobs.
   */
  findObstacle: () => string | null | Promise<string | null>;
  /** Returns the reason why only a restart helps, or null. */
  findFault: () => string | null;
  /** All metrics in Prometheus's text format; null: metrics are off. */
  readMetrics: () => Promise<string> | null;
  /** Called with errors of the listening socket, such as too many open files. They don't end the process. */
  onError: (error: Error) => void;
};

export type HealthServer = { url: string; close: () => Promise<void> };

/**
 * Serves `/livez` (503 if only a restart helps), `/readyz` (503 unless it takes jobs) and `/metrics` on its own port.
 */
export async function openHealth(options: HealthOptions): Promise<HealthServer> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0];
    if (!options.isAllowedHost(request.headers.host)) return sendStatus(response, 403, { status: 'host_not_allowed' });
    if (path === '/metrics') return sendMetrics(response, options.readMetrics);
    if (path === '/livez') return sendState(response, options.findFault());
    if (path !== '/readyz') return sendStatus(response, 404, { status: 'not_found' });
    sendState(response, await checkObstacle(options));
  });
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(options.port, options.host, resolve);
  await listening;
  server.off('error', reject);
  server.on('error', options.onError);
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

async function checkObstacle({ findObstacle }: HealthOptions): Promise<string | null> {
  try {
    return await findObstacle();
  } catch {
    return 'the readiness check failed';
  }
}

function sendState(response: ServerResponse, obstacle: string | null): void {
  if (obstacle === null) sendStatus(response, 200, { status: 'ok' });
  else sendStatus(response, 503, { status: 'unavailable', reason: obstacle });
}

function sendStatus(response: ServerResponse, status: number, body: { status: string; reason?: string }): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

async function sendMetrics(response: ServerResponse, readMetrics: HealthOptions['readMetrics']): Promise<void> {
  const metrics = await readOrNull(readMetrics);
  response.writeHead(metrics === null ? 503 : 200, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(metrics ?? '# telemetry is not loaded or is turned off\n');
}

async function readOrNull(readMetrics: HealthOptions['readMetrics']): Promise<string | null> {
  try {
    return await readMetrics();
  } catch {
    return null;
  }
}
