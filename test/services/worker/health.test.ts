import { Server } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { type HealthServer, openHealth } from '#services/worker/health.ts';
import { hostCheck } from '#shared/domain/installation/allowed-host.ts';
import { sendRaw } from '#test/support/api/raw-http.ts';

let server: HealthServer | null = null;
afterEach(async () => {
  vi.restoreAllMocks();
  await server?.close();
});

async function ask(path: string, options: Partial<Parameters<typeof openHealth>[0]>) {
  server = await openHealth({
    host: '127.0.0.1',
    port: 0,
    isAllowedHost: hostCheck(['worker.internal']),
    findObstacle: () => null,
    findFault: () => null,
    readMetrics: () => null,
    onError: () => {},
    ...options,
  });
  const answer = await fetch(server.url + path);
  const body = await answer.text();
  await server.close();
  return { status: answer.status, body };
}

it('reports a worker that drains or fails its check as not ready, but alive', async () => {
  expect((await ask('/readyz', {})).status).toBe(200);
  const away = await ask('/readyz', { findObstacle: () => 'the queue has been unavailable for 7 s' });
  expect(away).toEqual({
    status: 503,
    body: '{"status":"unavailable","reason":"the queue has been unavailable for 7 s"}',
  });
  expect((await ask('/readyz', { findObstacle: () => Promise.reject(new Error('a secret')) })).body).not.toContain(
    'secret',
  );
  expect((await ask('/readyz', { findObstacle: () => Promise.reject(new Error('away')) })).status).toBe(503);
  expect((await ask('/livez', { findObstacle: () => 'stopping' })).status).toBe(200);
  const stuck = await ask('/livez', { findFault: () => 'the periodic job sweep-due has not ended for 901 s' });
  expect(stuck).toMatchObject({ status: 503, body: expect.stringContaining('sweep-due') });
  expect((await ask('/secrets', {})).status).toBe(404);
});

it('serves metrics on the same port, or 503 without any', async () => {
  expect(await ask('/metrics', { readMetrics: async () => 'landfall_due_count 0\n' })).toEqual({
    status: 200,
    body: 'landfall_due_count 0\n',
  });
  expect((await ask('/metrics', {})).status).toBe(503);
  expect((await ask('/metrics', { readMetrics: () => Promise.reject(new Error('broken')) })).status).toBe(503);
});

it('answers to its host names and IP addresses alone, so that no website can read it through a browser', async () => {
  server = await openHealth({
    host: '127.0.0.1',
    port: 0,
    isAllowedHost: hostCheck(['worker.internal']),
    findObstacle: () => null,
    findFault: () => null,
    readMetrics: async () => 'landfall_due_count 0\n',
    onError: () => {},
  });
  const { url } = server;
  const statusOf = async (path: string, host: string) =>
    (await sendRaw(url, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)).status;
  for (const path of ['/livez', '/readyz', '/metrics']) {
    expect(await statusOf(path, 'evil.example')).toBe(403);
    for (const host of ['localhost:8081', '10.1.2.3:8081', 'worker.internal'])
      expect(await statusOf(path, host)).toBe(200);
  }
});

it('survives metrics that throw and errors of its listening socket', async () => {
  const thrown = () => {
    throw new Error('broken');
  };
  expect((await ask('/metrics', { readMetrics: thrown })).status).toBe(503);
  const reported: Error[] = [];
  const listen = vi.spyOn(Server.prototype, 'listen');
  server = await openHealth({
    host: '127.0.0.1',
    port: 0,
    isAllowedHost: hostCheck([]),
    findObstacle: () => null,
    findFault: () => null,
    readMetrics: () => null,
    onError: (error) => reported.push(error),
  });
  (listen.mock.contexts[0] as Server).emit('error', new Error('accept ENFILE'));
  expect(reported).toEqual([new Error('accept ENFILE')]);
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
});
