import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liftBodyDeadline, registerBodyDeadline } from '#services/api/http/body-deadline.ts';
import { answerClientError } from '#services/api/http/errors.ts';

const deadlineMs = 200;
let app: FastifyInstance;

beforeAll(async () => {
  app = fastify({
    requestTimeout: 0,
    http: { headersTimeout: 300, requestTimeout: 0, connectionsCheckingInterval: 50 },
    clientErrorHandler: answerClientError,
  });
  registerBodyDeadline(app, deadlineMs);
  app.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
  app.post('/lifted', async (request) => {
    liftBodyDeadline(request.raw);
    return { bytes: (await buffer(request.body as NodeJS.ReadableStream)).length };
  });
  app.post('/refused', { onRequest: async (_request, reply) => reply.status(400).send('no') }, async () => 'never');
  app.post('/json', async (request) => request.body);
  await app.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(() => app.close());

/**
 * Sends the beginning, a byte every 20 ms for a while, then the end; gives all that came back before the connection
 * closed.
 */
async function sendSlowly(beginning: string, options: { bytes: number; end?: string }): Promise<string> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  // A client that keeps sending receives a reset: an error here, and still a close.
  socket.on('error', () => undefined);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on('close', () => resolve());
  socket.write(beginning);
  let left = options.bytes;
  const writing = setInterval(() => {
    if (left > 0) socket.write('x');
    else if (left === 0 && options.end !== undefined) socket.write(options.end);
    left -= 1;
  }, 20);
  await closed;
  clearInterval(writing);
  return answer;
}

const head = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

test('answers a body that is not received in time with 408 and closes the connection', async () => {
  expect(await sendSlowly(head('/json', 'application/json', 1000), { bytes: 1000 })).toMatch(
    /^HTTP\/1\.1 408 [\s\S]*request_timeout/,
  );
});

test('closes a connection that keeps sending after its answer', async () => {
  const request = head('/refused', 'application/json', 1000).replace('connection: close\r\n', '');
  expect(await sendSlowly(request, { bytes: 1000 })).toMatch(/^HTTP\/1\.1 400 /);
});

test('leaves the deadline for headers to Node', async () => {
  expect(await sendSlowly('POST /json HTTP/1.1\r\nhost: a\r\nx-slow: ', { bytes: 1000 })).toMatch(/^HTTP\/1\.1 408 /);
});

test('gives uploads more time', async () => {
  expect(await sendSlowly(head('/lifted', 'text/csv', 30), { bytes: 30 })).toMatch(
    /^HTTP\/1\.1 200 [\s\S]*\{"bytes":30\}/,
  );
});
