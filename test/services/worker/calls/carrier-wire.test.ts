import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createCarrierFetch, openCarrierAgent } from '#services/worker/calls/carrier-fetch.ts';
import { outcomeOfAnswer } from '#services/worker/calls/carrier-http.ts';
import type { CarrierResponse } from '#services/worker/carriers/carrier.ts';
import { CarrierUnreachable } from '#services/worker/carriers/fetch-failure.ts';
import { jsonValue } from '#services/worker/carriers/json-response.ts';
import { patienceMs } from '#test/support/until.ts';

/** A carrier that writes bytes: no HTTP library sends most of these. */
const said = { events: ['Köln', 'Ærø'] };
const json = Buffer.from(JSON.stringify(said));
const maxBodyBytes = 256 * 1024;
const agent = openCarrierAgent();
let answer: (socket: Socket) => void = () => {};
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', () => answer(socket));
});
let baseUrl: string;
const unowned: unknown[] = [];
const own = (error: unknown) => unowned.push(error);

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Ahead of Vitest's own listeners, which don't say which test it was.
  process.prependListener('uncaughtException', own);
  process.prependListener('unhandledRejection', own);
});
afterAll(async () => {
  process.off('uncaughtException', own);
  process.off('unhandledRejection', own);
  await agent.destroy();
  server.close();
});
beforeEach(() => {
  unowned.length = 0;
});
afterEach(async () => {
  // A destroyed stream emits its error in one of the next turns of the event loop.
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(unowned).toEqual([]);
});

const signal = () => AbortSignal.timeout(patienceMs);
const ask = (asked: { path?: string; method?: 'GET' | 'HEAD'; signal?: AbortSignal } = {}): Promise<CarrierResponse> =>
  createCarrierFetch(agent, { settings: { baseUrl, authUrl: `${baseUrl}/token` }, maxBodyBytes })(
    `${baseUrl}${asked.path ?? '/'}`,
    { signal: asked.signal ?? signal(), ...(asked.method && { method: asked.method }) },
  );
const head = (status: number, ...fields: string[]) =>
  `HTTP/1.1 ${[status, 'Status'].join(' ')}\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`;
const answering = (body: Buffer, { status = 200, coding = '', type = 'application/json' } = {}) => {
  answer = (socket) => {
    const fields = [`content-type: ${type}`, `content-length: ${body.length}`];
    socket.end(
      Buffer.concat([Buffer.from(head(status, ...fields, ...(coding && [`content-encoding: ${coding}`]))), body]),
    );
  };
};

it.each([
  ['gzip', gzipSync(json)],
  ['x-gzip', gzipSync(json)],
  ['GZIP', gzipSync(json)],
  ['deflate', deflateSync(json)],
  ['deflate', deflateRawSync(json)],
  ['br', brotliCompressSync(json)],
  ['zstd', zstdCompressSync(json)],
  ['gzip, br', brotliCompressSync(gzipSync(json))],
  ['identity, zstd, gzip', gzipSync(zstdCompressSync(json))],
  ['identity', json],
  ['UTF-8', json],
  ['', json],
])('reads a response in the encoding %s', async (coding, body) => {
  answering(body, { coding });
  expect(jsonValue(await ask())).toEqual(said);
});

it.each(['snappy', 'compress', 'aws-chunked', 'gzip, snappy', 'constructor', '\u00ff'.repeat(200)])(
  'calls a response in the encoding %s unreadable and explains why',
  async (coding) => {
    answering(json, { coding });
    const response = await ask();
    expect(response).toMatchObject({ status: 200, text: '' });
    expect(outcomeOfAnswer(response)).toBe('unreadable');
    expect(() => jsonValue(response)).toThrow(
      /^the response of the carrier has an unknown content encoding \(.{1,40}\)$/,
    );
  },
);

it.each([200, 301, 403, 500])('keeps the status %s of a page in an unknown encoding', async (status) => {
  for (const coding of ['br', 'zstd', 'gzip', 'deflate', 'nonsense', 'gzip, gzip, gzip, gzip']) {
    answering(Buffer.from('<html>Access denied</html>'), { status, coding, type: 'text/html' });
    expect(await ask()).toMatchObject({ status, text: '', unreadable: expect.stringMatching(/encoding|not valid/) });
  }
});

it.each([
  ['gzip', gzipSync(json)],
  ['deflate', deflateSync(json)],
  ['br', brotliCompressSync(json)],
  ['zstd', zstdCompressSync(json)],
])('calls a %s body that ends or is damaged anywhere unreadable, or reads it correctly', async (coding, body) => {
  for (let cut = 1; cut < body.length; cut++) {
    answering(body.subarray(0, cut), { coding });
    const { text } = await ask();
    expect(['', json.toString()]).toContain(text);
  }
  for (let at = 0; at < body.length; at += 3) {
    const damaged = Buffer.from(body);
    damaged[at] = (damaged[at] ?? 0) ^ 0x55;
    answering(damaged, { coding });
    expect((await ask()).status).toBe(200);
  }
});

it.each([
  ['gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))],
  ['br', brotliCompressSync(Buffer.alloc(64 * 1024 * 1024, ' '))],
  ['zstd', zstdCompressSync(Buffer.alloc(64 * 1024 * 1024, ' '))],
  ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')))],
  ['', Buffer.alloc(maxBodyBytes + 1, ' ')],
])('stops decoding a body in the encoding "%s" at the limit', async (coding, body) => {
  answering(body, { coding });
  const before = process.memoryUsage().arrayBuffers;
  const response = await ask();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(24 * 1024 * 1024);
  expect(() => jsonValue(response)).toThrow('the response of the carrier is larger than 256 KiB');
});

it('reads at most 64 KiB of an error page and of a token', async () => {
  answering(Buffer.alloc(65_537, ' '), { status: 503 });
  expect(await ask()).toMatchObject({ status: 503, unreadable: expect.stringContaining('larger than 64 KiB') });
  answering(Buffer.alloc(65_537, ' '));
  expect(await ask({ path: '/token' })).toMatchObject({ unreadable: expect.stringContaining('larger than 64 KiB') });
});

it('reads a response to HEAD that states the encoding of a body it does not have', async () => {
  answer = (socket) => socket.end(head(200, 'content-encoding: zstd', 'content-length: 900', 'last-modified: x'));
  expect(await ask({ method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
});

const chunked = head(200, 'content-type: application/json', 'transfer-encoding: chunked');
const zipped = gzipSync(Buffer.from(JSON.stringify(Array.from({ length: 500 }, (_, index) => `event ${index}`))));
/** Bytes that are sent before the connection ends, one stage for each kind of byte. */
const stages: [string, string | Buffer][] = [
  ['before the status line', ''],
  ['in the status line', 'HTTP/1.1 2'],
  ['after the status line', 'HTTP/1.1 200 OK\r\n'],
  ['in a header name', 'HTTP/1.1 200 OK\r\ncontent-ty'],
  ['in a header value', 'HTTP/1.1 200 OK\r\ncontent-type: appl'],
  ['between headers and body', head(200, 'content-length: 100')],
  ['in the body', `${head(200, 'content-length: 100')}{"events":`],
  ['between headers and the first chunk', chunked],
  ['in a chunk size', `${chunked}1`],
  ['after a chunk size', `${chunked}10\r\n`],
  ['in a chunk', `${chunked}10\r\n{"ev`],
  ['after a chunk', `${chunked}2\r\n{}\r\n`],
  ['in the last chunk', `${chunked}2\r\n{}\r\n0`],
  ['in a trailer', `${chunked}2\r\n{}\r\n0\r\nx-tra`],
  ['in an interim response', 'HTTP/1.1 103 Early Hints\r\nlink: <x>'],
  [
    'in a gzip stream',
    Buffer.concat([
      Buffer.from(head(200, 'content-encoding: gzip', `content-length: ${zipped.length}`)),
      zipped.subarray(0, 400),
    ]),
  ],
  [
    'in a gzip stream, in chunks',
    Buffer.concat([
      Buffer.from(head(200, 'content-encoding: gzip', 'transfer-encoding: chunked')),
      Buffer.from(`${zipped.length.toString(16)}\r\n`),
      zipped.subarray(0, 400),
    ]),
  ],
];
const endings: [string, (socket: Socket) => void][] = [
  ['closed', (socket) => socket.end()],
  ['reset', (socket) => socket.resetAndDestroy()],
];

it.each(stages.flatMap(([where, bytes]) => endings.map(([how, end]) => [how, where, bytes, end] as const)))(
  'reports a connection that is %s %s as unreachable',
  async (_how, _where, bytes, end) => {
    for (const delayed of [false, true]) {
      answer = (socket) => {
        if (bytes.length === 0) return end(socket);
        socket.write(bytes, () => (delayed ? setTimeout(() => end(socket), 20) : end(socket)));
      };
      await expect(ask()).rejects.toBeInstanceOf(CarrierUnreachable);
    }
  },
);

it.each([
  ['a chunk size that is no number', `${chunked}zz\r\n{}`],
  ['a chunk longer than its size', `${chunked}1\r\n{}}}}\r\n0\r\n\r\n`],
  ['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
  ['a header of 64 KiB', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(65_536)}\r\n\r\n`],
  ['a second response that was not asked for', `${head(200, 'content-length: 0')}${head(200, 'content-length: 0')}`],
])('survives %s', async (_what, bytes) => {
  answer = (socket) => socket.end(bytes);
  await ask().catch((error: unknown) => expect(error).toBeInstanceOf(CarrierUnreachable));
});

it.each(stages)('survives a refresh that is aborted %s', async (_where, bytes) => {
  const aborting = new AbortController();
  answer = (socket) => {
    if (bytes.length > 0) socket.write(bytes);
    setTimeout(() => aborting.abort(new Error('the worker is stopping')), 10);
  };
  await expect(ask({ signal: aborting.signal })).rejects.toBeInstanceOf(CarrierUnreachable);
});
