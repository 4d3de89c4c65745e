import { once } from 'node:events';
import http from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import {
  type ConnectionLimits,
  leaveConnectionLimits,
  registerConnectionLimits,
} from '#services/api/http/connection-limits.ts';
import { registerErrors } from '#services/api/http/errors.ts';
import { createLogger } from '#shared/telemetry/logger.ts';

let app: FastifyInstance;
let logLines: string[];
let requests: number;
/** Answers the requests that wait. */
let answerAll: () => void;

async function listen(limits: Partial<ConnectionLimits>): Promise<number> {
  logLines = [];
  requests = 0;
  const logger = createLogger({
    name: 'api',
    level: 'info',
    destination: { write: (line: string) => void logLines.push(line) },
  });
  const trustedProxies = limits.trustedProxies ?? [];
  app = fastify({ trustProxy: trustedProxies.length > 0 && [...trustedProxies], forceCloseConnections: true });
  registerErrors(app, logger);
  registerConnectionLimits(
    app,
    { maxConnections: 100, maxConnectionsPerAddress: 100, trustedProxies, ...limits },
    logger,
  );
  const { promise: released, resolve } = Promise.withResolvers<void>();
  answerAll = resolve;
  app.get('/', async () => 'served');
  app.get('/wait', async () => {
    requests += 1;
    await released;
    return 'served';
  });
  app.get('/leave', async (request) => {
    requests += 1;
    await released;
    leaveConnectionLimits(request);
    return 'served';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

afterEach(() => app.close());

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** All that comes back until the connection closes. */
async function everythingFrom(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  await once(socket, 'close');
  return text;
}

function get(port: number, path: string, client: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': client };
    http
      .get({ host: '127.0.0.1', port, path, agent: false, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      })
      .on('error', reject);
  });
}

test('answers one connection more than an address may have with 429, and serves it once another closed', async () => {
  const port = await listen({ maxConnectionsPerAddress: 3 });
  const held = await Promise.all([opened(port), opened(port), opened(port)]);
  const refused = await everythingFrom(await opened(port));
  expect(refused).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 1[\s\S]*limit 3[\s\S]*"code":"rate_limited"/);
  expect(logLines.join('')).toContain('MAX_CONNECTIONS_PER_ADDRESS');
  held[0]?.destroy();
  await expect.poll(() => get(port, '/', '192.0.2.1').catch(() => 0)).toBe(200);
  for (const socket of held) socket.destroy();
});

test('refuses a connection beyond the limit of the process', async () => {
  const port = await listen({ maxConnections: 2 });
  const held = await Promise.all([opened(port), opened(port)]);
  expect(await everythingFrom(await opened(port))).toBe('');
  expect(logLines.join('')).toContain('MAX_CONNECTIONS are open');
  for (const socket of held) socket.destroy();
});

test('behind a trusted proxy, limits the requests in progress of the client that it names, not those of the proxy', async () => {
  const port = await listen({ maxConnectionsPerAddress: 2, trustedProxies: ['127.0.0.0/8'] });
  const waiting = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3'].map((client) => get(port, '/wait', client));
  await expect.poll(() => requests).toBe(4);
  expect(await get(port, '/', '192.0.2.1')).toBe(429);
  expect(await get(port, '/', '192.0.2.2')).toBe(200);
  answerAll();
  expect(await Promise.all(waiting)).toEqual([200, 200, 200, 200]);
  await expect.poll(() => get(port, '/', '192.0.2.1')).toBe(200);
});

test('counts the networks of IPv6 lines and no proxy that is not trusted', async () => {
  const port = await listen({ maxConnectionsPerAddress: 1, trustedProxies: ['10.0.0.0/8', '2001:db8::/32'] });
  const held = await opened(port);
  expect(await everythingFrom(await opened(port))).toContain('429');
  held.destroy();
});

test('raises the limit of the process for a connection that leaves it, but not for one that has closed', async () => {
  const port = await listen({ maxConnections: 5 });
  const client = await opened(port);
  client.write('GET /leave HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  await expect.poll(() => requests).toBe(1);
  client.destroy();
  const connections = () => promisify(app.server.getConnections.bind(app.server))();
  await expect.poll(connections).toBe(0);
  answerAll();
  await setImmediate();
  expect(app.server.maxConnections).toBe(5);
  const held = await opened(port);
  held.write('GET /leave HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  await expect.poll(() => app.server.maxConnections).toBe(6);
  held.destroy();
  await expect.poll(() => app.server.maxConnections).toBe(5);
});
