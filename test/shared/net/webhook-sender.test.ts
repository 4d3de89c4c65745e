import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openAddressGuard } from '#shared/net/address-guard.ts';
import { openWebhookSender, type WebhookSender } from '#shared/net/webhook-sender.ts';
import { until } from '#test/support/until.ts';

const certificate = (name: string): string =>
  readFileSync(new URL(`../../fixtures/certificates/${name}.pem`, import.meta.url), 'utf8');

const closers: (() => Promise<void> | void)[] = [];
const former = getCACertificates('default');
let sender: WebhookSender;

beforeAll(() => {
  setDefaultCACertificates([...former, certificate('ca')]);
  sender = senderThrough(null);
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

afterAll(async () => {
  setDefaultCACertificates(former);
  await sender.close();
});

function senderThrough(proxyUrl: string | null): WebhookSender {
  const guard = openAddressGuard({
    allowHttp: true,
    allowedNetworks: ['127.0.0.0/8'],
    loopbackInTests: true,
    proxied: proxyUrl !== null,
    resolve: async () => ['127.0.0.1'],
  });
  return openWebhookSender({ guard, proxyUrl, version: '1.2.3' });
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function receiver(handle: RequestListener): Promise<string> {
  return `http://receiver.test:${await listen(createServer(handle))}`;
}

type AnyRequest = Http2ServerRequest | IncomingMessage;
type AnyResponse = Http2ServerResponse | ServerResponse;

/** Speaks HTTP/2 and HTTP/1.1, or HTTP/1.1 alone. */
async function secureReceiver(
  name: string,
  handle: (request: AnyRequest, response: AnyResponse) => void,
  speaksHttp2 = true,
): Promise<string> {
  const options = { cert: certificate(name), key: certificate('key') };
  const server = speaksHttp2
    ? createSecureServer({ ...options, allowHTTP1: true }, handle)
    : createHttpsServer(options, handle);
  return `https://receiver.test:${await listen(server)}`;
}

const target = (url: string) => ({ url, test: false, timeoutMs: 10_000 });

function send(url: string, { headers = {}, timeoutMs = 10_000 } = {}, through = sender) {
  return through.send({ ...target(url), timeoutMs }, { headers, body: '{"a":1}' });
}

it('posts the body with its headers and keeps the connection', async () => {
  const seen: { method?: string | undefined; url?: string | undefined; body: string; headers: object }[] = [];
  const ports = new Set<number | undefined>();
  const url = await receiver(async (request, response) => {
    ports.add(request.socket.remotePort);
    const body = Buffer.concat(await request.toArray()).toString();
    seen.push({ method: request.method, url: request.url, body, headers: request.headers });
    response.writeHead(202).end('thanks');
  });
  const whole = { ...target(`${url}/a?b=c#d`), headers: { 'x-own': 'yes' }, secrets: [] };
  const request = sender.compose(
    whole,
    { id: 'chg_1', body: '{"a":1}' },
    { nowMs: 1_700_000_000_999, traceparent: null },
  );
  const response = await sender.send(whole, request);
  expect(response).toEqual({
    status: 202,
    error: null,
    latencyMs: expect.any(Number),
    answer: 'thanks',
    retryAfter: null,
  });
  for (let count = 0; count < 9; count += 1) await send(url);
  expect(seen[0]).toMatchObject({
    method: 'POST',
    url: '/a?b=c',
    body: '{"a":1}',
    headers: {
      'content-type': 'application/json',
      'content-length': '7',
      'user-agent': 'Landfall-Webhooks/1.2.3',
      'webhook-id': 'chg_1',
      'webhook-timestamp': '1700000000',
      'x-own': 'yes',
    },
  });
  // The next request may begin before the connection of the last one is free again.
  expect(ports.size).toBeLessThanOrEqual(2);
});

it.each([
  { speaksHttp2: true, version: '2.0' },
  { speaksHttp2: false, version: '1.1' },
])('uses HTTP/$version with a receiver that offers it, several requests at the same time', async (offer) => {
  const waiting: AnyResponse[] = [];
  const versions = new Set<string>();
  const url = await secureReceiver(
    'valid',
    (request, response) => {
      versions.add(request.httpVersion);
      if (waiting.push(response) === 8) for (const one of waiting) one.end('ok');
    },
    offer.speaksHttp2,
  );
  const responses = await Promise.all(Array.from({ length: 8 }, () => send(url)));
  expect(responses.map(({ status, error, answer }) => error ?? `${status} ${answer}`)).toEqual(Array(8).fill('200 ok'));
  expect(versions).toEqual(new Set([offer.version]));
});

it.each([
  { name: 'expired', error: 'tls_expired' },
  { name: 'self-signed', error: 'tls_self_signed' },
])('names an $name certificate as the error', async ({ name, error }) => {
  const url = await secureReceiver(name, (_request, response) => void response.end());
  expect(await send(url)).toMatchObject({ status: null, error });
});

it('names a certificate for another host and a server without TLS as the error', async () => {
  const url = await secureReceiver('valid', (_request, response) => void response.end());
  expect(await send(url.replace('receiver.test', 'other.test'))).toMatchObject({ error: 'tls_wrong_name' });
  const plain = await receiver((_request, response) => void response.end());
  expect(await send(plain.replace('http:', 'https:'))).toMatchObject({ error: 'tls_failed' });
});

it('names an untrusted issuer as the error', async () => {
  const url = await secureReceiver('valid', (_request, response) => void response.end());
  setDefaultCACertificates(former);
  const distrusting = senderThrough(null);
  expect(await send(url, {}, distrusting)).toMatchObject({ error: 'tls_untrusted' });
  await distrusting.close();
  setDefaultCACertificates([...former, certificate('ca')]);
});

it('does not follow redirects', async () => {
  let requests = 0;
  const url = await receiver((_request, response) => {
    requests += 1;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await send(url)).toMatchObject({ status: 307, error: null });
  expect(requests).toBe(1);
});

it.each([
  { what: 'sends nothing', answer: () => {} },
  {
    what: 'sends one byte at a time without end',
    answer: (response: ServerResponse) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    },
  },
  {
    what: 'sends headers one byte at a time without end',
    answer: (response: ServerResponse) => {
      response.socket?.write('HTTP/1.1 200 OK\r\nx-slow: ');
      const timer = setInterval(() => response.socket?.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    },
  },
])('ends a request to a receiver that $what at its deadline, and closes the connection', async ({ answer }) => {
  const closed = Promise.withResolvers<void>();
  let arrived = 0;
  const url = await receiver((_request, response) => {
    arrived += 1;
    response.on('close', closed.resolve);
    answer(response);
  });
  // On a busy machine, the time may be over before the request has arrived.
  const response = await until(
    () => send(url, { timeoutMs: 300 }),
    () => arrived > 0,
  );
  expect(response.error).toBe('timeout');
  expect(response.latencyMs).toBeGreaterThanOrEqual(290);
  await closed.promise;
});

it('stops to read an endless response after 64 KB and keeps 4 KB of it as text', async () => {
  let written = 0;
  const closed = Promise.withResolvers<void>();
  const chunk = Buffer.from('é\0'.repeat(5000));
  const url = await receiver((_request, response) => {
    response.on('close', closed.resolve);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
      response.once('drain', more);
    };
    more();
  });
  const response = await send(url);
  expect(response).toMatchObject({ status: 200, error: null });
  expect(response.answer).toBe('é\uFFFD'.repeat(1365));
  await closed.promise;
  expect(written).toBeLessThan(16_000_000);
});

it('keeps no compressed response as text', async () => {
  const url = await receiver((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from([0x1f, 0x8b, 8, 0]));
  });
  expect(await send(url)).toMatchObject({ status: 200, answer: null });
});

it('names refused and lost connections and invalid responses', async () => {
  const gone = await listen(createTcpServer());
  for (const close of closers.splice(0)) await close();
  expect(await send(`http://receiver.test:${gone}`)).toMatchObject({ status: null, error: 'connection_refused' });
  const cutting = await receiver((request) => void request.socket.destroy());
  expect(await send(cutting)).toMatchObject({ status: null, error: 'connection_lost' });
  const half = await receiver((_request, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half');
    setImmediate(() => response.destroy());
  });
  expect(await send(half)).toMatchObject({ error: expect.stringMatching(/connection_lost|invalid_response/) });
  const other = await listen(createTcpServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n')));
  expect(await send(`http://receiver.test:${other}`)).toMatchObject({ error: 'invalid_response' });
});

it('reports a header that HTTP does not allow and sends nothing', async () => {
  let requests = 0;
  const url = await receiver((_request, response) => {
    requests += 1;
    response.end();
  });
  expect(await send(url, { headers: { 'x-own': 'a\r\nx-injected: b' } })).toMatchObject({ error: 'invalid_url' });
  expect(requests).toBe(0);
});

it('returns Retry-After', async () => {
  const url = await receiver((_request, response) => response.writeHead(429, { 'retry-after': '120' }).end());
  expect(await send(url)).toMatchObject({ status: 429, retryAfter: '120' });
});

it('ends at once when the process stops', async () => {
  const arrived = Promise.withResolvers<void>();
  const url = await receiver(() => arrived.resolve());
  const stopping = new AbortController();
  const sending = sender.send(target(url), { headers: {}, body: '{}' }, stopping.signal);
  await arrived.promise;
  stopping.abort();
  expect(await sending).toMatchObject({ status: null, error: 'timeout' });
});

it('sends everything through the proxy, which resolves the names', async () => {
  const secure = await secureReceiver('valid', (_request, response) => void response.end('by proxy'));
  const asked: (string | undefined)[] = [];
  const proxy = createServer();
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push(request.url);
    if (request.url?.startsWith('denied')) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const target = connect(Number(new URL(secure).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    return undefined;
  });
  const through = senderThrough(`http://127.0.0.1:${await listen(proxy)}`);
  expect(await send(secure, {}, through)).toMatchObject({ status: 200, answer: 'by proxy' });
  expect(await send('https://denied.test/', {}, through)).toMatchObject({ error: 'proxy_failed' });
  expect(asked).toEqual([new URL(secure).host, 'denied.test:443']);
  expect(await send('https://10.0.0.1/', {}, through)).toMatchObject({ error: 'address_forbidden' });
  await through.close();
  const without = senderThrough('http://127.0.0.1:9');
  expect(await send(secure, {}, without)).toMatchObject({ error: 'proxy_failed' });
  await without.close();
});
