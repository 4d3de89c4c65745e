import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type KeyAddingProxy, openKeyAddingProxy } from './key-adding-proxy.ts';

let server: Server;
let proxy: KeyAddingProxy;
let arrived: Promise<[IncomingMessage, ServerResponse]>;

beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  arrived = once(server, 'request') as typeof arrived;
  proxy = await openKeyAddingProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a/b`, 'secret');
});
afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  server.close();
});

it('adds the key and forwards everything else unchanged, including Host and Origin', async () => {
  const headers = [
    'Host',
    'evil.example.com',
    'oRIGIN',
    'http://evil.example.com',
    'X-Twice',
    '1',
    'X-Twice',
    '2',
    'Content-Length',
    '4',
  ];
  const sent = request(`${proxy.url}?q=1`, { method: 'POST', headers });
  sent.end('body');
  const [seen, reply] = await arrived;
  expect([seen.method, seen.url, await text(seen)]).toEqual(['POST', '/a/b?q=1', 'body']);
  expect(seen.rawHeaders.slice(0, headers.length)).toEqual(headers);
  expect(seen.rawHeaders.slice(-2)).toEqual(['Authorization', 'Bearer secret']);
  reply.writeHead(418, ['X-Answer', 'a', 'X-Answer', 'b']).end('tea');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.headersDistinct['x-answer'], await text(answer)]).toEqual([418, ['a', 'b'], 'tea']);
});

it('keeps a key that is already there', async () => {
  const sent = request(proxy.url, { headers: { authorization: 'Bearer own' } });
  sent.end();
  const [seen, reply] = await arrived;
  expect(seen.headersDistinct.authorization).toEqual(['Bearer own']);
  reply.end();
  await once(sent, 'response');
});

it('streams an answer and ends it when the client disconnects', async () => {
  const sent = request(proxy.url);
  sent.end();
  const [, reply] = await arrived;
  const gone = once(reply, 'close');
  reply.write('first');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  expect(String((await once(answer, 'data'))[0])).toBe('first');
  answer.destroy();
  await gone;
  expect(reply.writableFinished).toBe(false);
});
