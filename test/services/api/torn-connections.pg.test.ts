import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { until } from '#test/support/until.ts';

/* Every stream of the API has an owner for its error: clients that leave in the middle of anything don't end it. */
let api: TestApi;
const unowned: unknown[] = [];
const own = (error: unknown) => unowned.push(error);

const rows = Array.from({ length: 400 }, (_, index) => `MAEU,MAEU${100000000 + index}`);
const csv = Buffer.from(['carrier,mbl', ...rows].join('\n'));

beforeAll(async () => {
  api = await startTestApi();
  // Without a connection that stays open.
  for (let index = 0; index < 3; index++)
    await api.app.inject({
      method: 'POST',
      url: '/v1/shipments',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
      payload: registration(index),
    });
  process.prependListener('uncaughtException', own);
  process.prependListener('unhandledRejection', own);
});
afterAll(async () => {
  process.off('uncaughtException', own);
  process.off('unhandledRejection', own);
  await api.close();
});
beforeEach(() => {
  unowned.length = 0;
});
afterEach(async () => {
  await until(connections, (count) => count === 0);
  // Work that a request left behind fails in the turns after its connection.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(unowned).toEqual([]);
  expect((await api.app.inject('/livez')).statusCode).toBe(200);
});

function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    api.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

const registration = (index: number) => ({
  transport_mode: 'ocean',
  carrier: 'MAEU',
  identifiers: { mbl: `MAEU90000000${index}` },
});
const boundary = 'torn';
const part = (name: string, type: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`,
    ),
    content,
    Buffer.from('\r\n'),
  ]);
const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
const multipart = `multipart/form-data; boundary=${boundary}`;
const json = (body: unknown) => Buffer.from(JSON.stringify(body));

type Torn = { method: 'GET' | 'POST'; path: string; fields?: string[]; body?: Buffer; chunked?: boolean };
const initialize = json({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'torn', version: '1' } },
});
const requests: Record<string, Torn> = {
  'a list': { method: 'GET', path: '/v1/shipments' },
  'an export in br': { method: 'GET', path: '/v1/shipments/export?format=csv', fields: ['accept-encoding: br'] },
  'an export in gzip': { method: 'GET', path: '/v1/shipments/export?format=ndjson', fields: ['accept-encoding: gzip'] },
  'a page of the docs': { method: 'GET', path: '/openapi.json', fields: ['accept-encoding: gzip'] },
  'a registration': {
    method: 'POST',
    path: '/v1/shipments',
    fields: ['content-type: application/json'],
    body: json(registration(9)),
  },
  'an upload of CSV': { method: 'POST', path: '/v1/imports', fields: ['content-type: text/csv'], body: csv },
  'an upload in chunks': {
    method: 'POST',
    path: '/v1/imports',
    fields: ['content-type: text/csv'],
    body: csv,
    chunked: true,
  },
  'an upload of gzip': {
    method: 'POST',
    path: '/v1/imports',
    fields: ['content-type: text/csv', 'content-encoding: gzip'],
    body: gzipSync(csv),
  },
  'a form': {
    method: 'POST',
    path: '/v1/imports',
    fields: [`content-type: ${multipart}`],
    body: form(part('file', 'text/csv', csv)),
  },
  'a form with two files': {
    method: 'POST',
    path: '/v1/imports',
    fields: [`content-type: ${multipart}`],
    body: form(part('file', 'text/csv', csv.subarray(0, 60)), part('more', 'text/csv', csv)),
  },
  'a form of gzip': {
    method: 'POST',
    path: '/v1/imports',
    fields: [`content-type: ${multipart}`],
    body: form(part('file.csv.gz', 'application/gzip', gzipSync(csv))),
  },
  'a preview': {
    method: 'POST',
    path: '/v1/imports/preview',
    fields: [`content-type: ${multipart}`],
    body: form(part('file', 'text/csv', csv)),
  },
  'a call of MCP': {
    method: 'POST',
    path: '/mcp',
    fields: ['content-type: application/json', 'accept: application/json, text/event-stream'],
    body: initialize,
  },
};

function bytesOf({ method, path, fields = [], body, chunked }: Torn): { head: Buffer; body: Buffer } {
  const length = body === undefined ? [] : [chunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`];
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${api.key}`,
    ...fields,
    ...length,
  ];
  const sent =
    body === undefined || !chunked
      ? body
      : Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
  return { head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body: sent ?? Buffer.alloc(0) };
}

/** Sends this much in two writes, waits for an answer if one is due, and leaves. */
async function tear(
  bytes: Buffer,
  { from, how, reads }: { from: number; how: 'end' | 'reset'; reads: boolean },
): Promise<void> {
  const { port } = new URL(api.url);
  const socket = connect(Number(port), '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  const leave = () => (how === 'reset' ? socket.resetAndDestroy() : socket.destroy());
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  socket.write(bytes.subarray(0, from));
  await new Promise<void>((resolve) => socket.write(bytes.subarray(from), () => resolve()));
  if (reads) socket.once('data', leave);
  // The server reads it in one of its next turns, and has begun to work when the client leaves.
  else setTimeout(leave, 15);
  await closed;
}

it.each(Object.keys(requests))('survives clients that leave in the middle of %s', async (name) => {
  const { head, body } = bytesOf(requests[name] ?? expect.fail());
  const stages = [
    0,
    10,
    head.length - 2,
    head.length,
    head.length + 1,
    head.length + 100,
    head.length + Math.floor(body.length / 2),
    head.length + body.length - 1,
  ];
  const ends = [...new Set(stages)].filter(
    (end) => end <= head.length + body.length && (end < head.length || body.length > 0),
  );
  const all = Buffer.concat([head, body]);
  for (const how of ['end', 'reset'] as const) {
    await Promise.all(
      ends.map((end) => tear(all.subarray(0, end), { from: Math.min(end, head.length), how, reads: false })),
    );
    await tear(all, { from: head.length, how, reads: true });
    await tear(all, { from: head.length, how, reads: false });
  }
});

it('survives errors of its listening sockets', () => {
  const error = Object.assign(new Error('accept ENFILE'), { code: 'ENFILE' });
  expect(() => api.app.server.emit('error', error)).not.toThrow();
});
