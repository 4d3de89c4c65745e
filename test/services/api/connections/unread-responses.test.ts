import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { registerErrors } from '#services/api/http/errors.ts';
import { connectionKey, readSendQueues } from '#services/api/http/send-queues.ts';
import {
  leaveUnreadResponses,
  registerUnreadResponses,
  type UnreadLimits,
} from '#services/api/http/unread-responses.ts';
import { sleep } from '#shared/async/sleep.ts';
import { createLogger } from '#shared/telemetry/logger.ts';

const mib = 1024 * 1024;
/** Kernels take all of it at once, whether its client reads or not. */
const file = Buffer.alloc(mib / 2, 'x');
/** Enough for a look, and so little that every kernel takes it at once. */
const large = Buffer.alloc(100_000, 'x');

let app: FastifyInstance;
/** Findings of the queries. */
const seen = new Map<string, number>();

async function readQueues() {
  const queues = await readSendQueues();
  for (const [key, bytes] of queues ?? []) seen.set(key, bytes);
  return queues;
}

async function listen(limits: Partial<UnreadLimits>, host = '127.0.0.1'): Promise<number> {
  const logger = createLogger({ name: 'api', level: 'error', destination: { write: () => undefined } });
  app = fastify({ trustProxy: '127.0.0.2', keepAliveTimeout: 60_000, forceCloseConnections: true });
  registerErrors(app, logger);
  registerUnreadResponses(app, { stallMs: 60_000, maxUnreadBytes: 1024 * mib, everyMs: 20, ...limits });
  app.get('/file', async () => file);
  app.get('/large', async () => large);
  app.get('/small', async () => 'small');
  app.get('/stream', async (request) => {
    leaveUnreadResponses(request);
    return file;
  });
  await app.listen({ host, port: 0 });
  return (app.server.address() as AddressInfo).port;
}

afterEach(() => app.close());

/** Sends a request and reads nothing, until the server has finished its response. */
async function unread(port: number, path: string, headers = ''): Promise<{ client: Socket; served: Socket }> {
  const opened = once(app.server, 'connection');
  const finished = new Promise((resolve) =>
    app.server.once('request', (_request, response) => response.once('finish', resolve)),
  );
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  client.pause();
  client.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n${headers}\r\n`);
  const [served] = (await opened) as [Socket];
  await finished;
  return { client, served };
}

async function status(port: number, path: string, headers = {}): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  await answer.bytes();
  return answer.status;
}

describe.skipIf(process.platform !== 'linux')('a client that reads nothing of a response', () => {
  it.each([
    { connection: 'kept alive', headers: '' },
    { connection: 'closed after its response', headers: 'connection: close\r\n' },
  ])('is reset after a while, on a connection that is $connection', async ({ headers }) => {
    const port = await listen({ stallMs: 200, readQueues });
    const { client, served } = await unread(port, '/file', headers);
    const key = connectionKey(served) ?? '';
    await once(served, 'close');
    expect(seen.get(key)).toBeGreaterThan(0);
    // A reset leaves nothing with the kernel; a close would.
    expect((await readSendQueues())?.has(key)).toBe(false);
    client.destroy();
  });

  it('gets no further response while it leaves much unread, and others do', async () => {
    const served: Socket[] = [];
    const port = await listen({
      maxUnreadBytes: 500_000,
      readQueues: async () => new Map(served.map((socket) => [connectionKey(socket) ?? '', socket.bytesWritten])),
    });
    const stalled: Socket[] = [];
    for (let opened = 0; opened < 10; opened += 1) {
      const connection = await unread(port, '/large');
      stalled.push(connection.client);
      served.push(connection.served);
    }
    const statuses = new Set<number>();
    for (let asked = 0; asked < 8; asked += 1) statuses.add(await status(port, '/small'));
    expect(statuses).toContain(429);
    expect(await status(port, '/small')).toBe(429);

    for (const client of stalled) client.destroy();
    await expect.poll(() => status(port, '/small')).toBe(200);
  });

  it('keeps a stream open', async () => {
    const port = await listen({ stallMs: 50 });
    const { client, served } = await unread(port, '/stream');
    const { served: file } = await unread(port, '/file');
    await once(file, 'close');
    expect(served.destroyed).toBe(false);
    client.destroy();
  });

  it('is found on an address of IPv6, too', async () => {
    const port = await listen({ stallMs: 100, readQueues }, '::');
    const { client, served } = await unread(port, '/file');
    expect(served.remoteAddress).toBe('::ffff:127.0.0.1');
    const key = connectionKey(served) ?? '';
    await once(served, 'close');
    expect(seen.get(key)).toBeGreaterThan(0);
    client.destroy();
  });
});

it('gives a client that reads everything its responses, and closes the connection when it asks for that', async () => {
  const port = await listen({ maxUnreadBytes: 16 * mib });
  for (let asked = 0; asked < 40; asked += 1) expect(await status(port, '/file')).toBe(200);
  expect(await status(port, '/file', { connection: 'close' })).toBe(200);
});

it('closes a connection as soon as its client has taken the response, before the next regular look', async () => {
  const port = await listen({ everyMs: 3_600_000 });
  const client = connect(port, '127.0.0.1').resume();
  client.write('GET /large HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  await once(client, 'end');
  client.destroy();
});

it('sets no limit if the system does not report unread bytes', async () => {
  const port = await listen({ stallMs: 1, maxUnreadBytes: 1, readQueues: async () => null });
  const { client, served } = await unread(port, '/file');
  for (let asked = 0; asked < 20; asked += 1) expect(await status(port, '/small')).toBe(200);
  expect(served.destroyed).toBe(false);
  client.destroy();
});

describe('a client that takes the first bytes of a response late', () => {
  const stallMs = 500;

  /** While it is late, the kernel holds all that was written since. */
  async function listenWithQueues() {
    const queues = { isLate: false, looks: 0 };
    const taken = new Map<Socket, number>();
    const port = await listen({
      stallMs,
      readQueues: async () => {
        if (!queues.isLate) return new Map();
        queues.looks += 1;
        return new Map([...taken].map(([socket, bytes]) => [connectionKey(socket) ?? '', socket.bytesWritten - bytes]));
      },
    });
    app.server.on('connection', (socket) => taken.set(socket, 0));
    app.server.on('request', ({ socket }) => taken.set(socket, socket.bytesWritten));
    return { port, queues };
  }

  it.each([
    { connection: 'new', earlier: 0 },
    { connection: 'kept alive after an earlier response', earlier: 1 },
  ])('is not reset, on a connection that is $connection', async ({ earlier }) => {
    const { port, queues } = await listenWithQueues();
    const opened = once(app.server, 'connection');
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined).resume();
    const [served] = (await opened) as [Socket];
    const ask = async () => {
      const finished = new Promise((resolve) =>
        app.server.once('request', (_request, response) => response.once('finish', resolve)),
      );
      client.write('GET /large HTTP/1.1\r\nhost: a\r\n\r\n');
      await finished;
    };
    for (let asked = 0; asked < earlier; asked += 1) await ask();
    // The clock of the process and the time without a response are past the limit.
    await sleep(stallMs + 200);
    queues.isLate = true;
    await ask();
    await expect.poll(() => queues.looks, { interval: 10 }).toBeGreaterThan(0);
    queues.isLate = false;
    await sleep(150);
    expect(served.destroyed).toBe(false);
    client.destroy();
  });
});

it('closes the connections that wait for their clients once the system reports nothing any more', async () => {
  let isReadable = true;
  const port = await listen({
    readQueues: async () =>
      isReadable ? new Map([...served].map((socket) => [connectionKey(socket) ?? '', mib])) : null,
  });
  const served = new Set<Socket>();
  app.server.on('connection', (socket) => served.add(socket));
  const { client, served: waiting } = await unread(port, '/large', 'connection: close\r\n');
  await sleep(150);
  expect(waiting.destroyed).toBe(false);
  const closed = once(waiting, 'close');
  isReadable = false;
  await closed;
  client.destroy();
});
