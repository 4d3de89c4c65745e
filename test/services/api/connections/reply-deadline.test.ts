import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { answerClientError } from '#services/api/http/errors.ts';
import { registerReplyDeadline } from '#services/api/http/reply-deadline.ts';
import { until } from '#test/support/until.ts';

const mib = 1024 * 1024;
/** More than the kernel takes of a client that does not read. */
const large = Buffer.alloc(12 * mib, 'x');

const event = `data: ${large.toString('latin1')}\n\n`;

let app: FastifyInstance;
/** Bytes that were taken from the sources of streams. */
let produced = 0;

async function listen(stallMs: number): Promise<number> {
  app = fastify({
    keepAliveTimeout: 400,
    http: { headersTimeout: 300, connectionsCheckingInterval: 50 },
    clientErrorHandler: answerClientError,
  });
  registerReplyDeadline(app, stallMs);
  const piece = 'x'.repeat(65_536);
  async function* endless() {
    for (;;) {
      produced += piece.length;
      yield piece;
    }
  }
  app.get('/large', async () => large);
  app.get('/endless', async (_request, reply) =>
    reply.type('text/csv').send(Readable.from(endless(), { objectMode: false })),
  );
  app.get('/event', async (_request, reply) => reply.type('text/event-stream').send(event));
  app.get('/slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, stallMs * 3));
    return 'done';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

/** Sends a request and reads nothing. */
function unread(port: number, path: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  return socket;
}

test.each(['/large', '/endless', '/event'])(
  'ends 10 connections that never read %s, and frees what they hold',
  async (path) => {
    produced = 0;
    const port = await listen(300);
    const ended: Promise<unknown>[] = [];
    app.server.on('connection', (socket) => void ended.push(once(socket, 'close')));
    const clients = Array.from({ length: 10 }, () => unread(port, path));
    await Promise.all(clients.map((client) => once(client, 'connect')));
    await expect.poll(() => ended.length).toBe(10);
    await Promise.all(ended);
    // A few buffers each: those of the kernel on this machine have 6 MiB together.
    expect(produced).toBeLessThan(10 * 8 * mib);
    for (const client of clients) client.destroy();
  },
);

test('ends a connection that never reads and keeps sending', async () => {
  const port = await listen(300);
  const opened = once(app.server, 'connection');
  const client = unread(port, '/large');
  const [socket] = (await opened) as [Socket];
  const closed = once(socket, 'close');
  client.write('GET /large HTTP/1.1\r\nx-slow: ');
  const sending = setInterval(() => client.write('x'), 20);
  await closed;
  clearInterval(sending);
  client.destroy();
});

test('keeps a connection that reads slowly', async () => {
  const port = await listen(1000);
  const readSlowly = async (): Promise<number> => {
    const client = connect(port, '127.0.0.1');
    client.write('GET /large HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    let received = 0;
    client.pause();
    const reading = setInterval(() => {
      const bytes: Buffer | null = client.read();
      received += bytes?.length ?? 0;
    }, 10);
    const failed = once(client, 'close');
    await Promise.race([once(client, 'end'), failed]);
    clearInterval(reading);
    client.destroy();
    return received;
  };
  // Again if the whole process stood still for a second, in which it read nothing.
  await until(readSlowly, (received) => received > large.length);
});

test('keeps a connection that waits for its answer, and closes it when it is idle', async () => {
  const port = await listen(100);
  const client = connect(port, '127.0.0.1');
  let answer = '';
  client.on('data', (bytes) => {
    answer += bytes;
  });
  client.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n');
  await once(client, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*done/);
});
