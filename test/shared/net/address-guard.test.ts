import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AddressGuardOptions, openAddressGuard } from '#shared/net/address-guard.ts';
import { isPublicAddress } from '#shared/net/public-address.ts';
import { openWebhookSender, type WebhookResponse } from '#shared/net/webhook-sender.ts';
import { forbiddenHosts, forbiddenV4, forbiddenV6, spellingsOf, spellingsOfV6 } from './forbidden-targets.ts';

const live = { test: false };
const test = { test: true };
const settings: AddressGuardOptions = {
  allowHttp: true,
  allowedNetworks: [],
  loopbackInTests: true,
  proxied: false,
  resolve: async () => ['93.184.215.14'],
};
const guardWith = (options: Partial<AddressGuardOptions> = {}) => openAddressGuard({ ...settings, ...options });

let server: Server;
let port: number;
let received = 0;

beforeAll(async () => {
  server = createServer((_request, response) => {
    received += 1;
    response.end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function send(url: string, options: Partial<AddressGuardOptions>, use = live): Promise<WebhookResponse> {
  const sender = openWebhookSender({ guard: guardWith(options), proxyUrl: null, version: '1' });
  try {
    return await sender.send({ url, ...use, timeoutMs: 5000 }, { headers: {}, body: '{}' });
  } finally {
    await sender.close();
  }
}

const targets = [
  ...Object.entries(forbiddenV4).map(([address, what]) => ({ address, what, spellings: spellingsOf(address) })),
  ...Object.entries(forbiddenV6).map(([address, what]) => ({ address, what, spellings: spellingsOfV6(address) })),
];

describe.each(targets)('$address ($what)', ({ address, spellings }) => {
  it.each(spellings)('is refused as %s when a client sets it', async (spelling) => {
    for (const scheme of ['https', 'http']) {
      const refusal = await guardWith().check(`${scheme}://${spelling}/hook`, live);
      expect(refusal?.code).toBe(spelling.includes('@') ? 'invalid_url' : 'address_forbidden');
    }
  });

  it.each(spellings)('is refused as %s when a connection begins', async (spelling) => {
    const guard = guardWith();
    // The connection is checked even if an earlier check accepted the address.
    const blind = { ...guard, checkUrl: (text: string) => new URL(text) };
    const sender = openWebhookSender({ guard: blind, proxyUrl: null, version: '1' });
    const url = `http://${spelling}/hook`;
    const target = { url, ...live, timeoutMs: 5000 };
    expect(await sender.send(target, { headers: {}, body: '{}' })).toMatchObject({
      status: null,
      error: 'address_forbidden',
    });
    await sender.close();
  });

  it('is refused when a name resolves to it, also beside a public address', async () => {
    for (const addresses of [[address], ['93.184.215.14', address]]) {
      const resolve = async () => addresses;
      expect(await guardWith({ resolve }).check('https://receiver.example/', live)).toEqual({
        code: 'address_forbidden',
        detail:
          'receiver.example resolves to an address that is not public. Webhooks are sent only to public addresses.',
      });
      expect(await send('https://receiver.example/', { resolve })).toMatchObject({ error: 'address_forbidden' });
    }
  });
});

it.each(forbiddenHosts)('refuses the host %s', async (host) => {
  expect(await guardWith().check(`https://${host}/hook`, live)).not.toBeNull();
});

it.each(['8.8.8.8', '1.1.1.1', '100.63.255.255', '172.32.0.1', '192.0.1.1', '223.255.255.255', '2606:4700::1111'])(
  'accepts the public address %s',
  async (address) => {
    expect(isPublicAddress(address)).toBe(true);
    const host = address.includes(':') ? `[${address}]` : address;
    expect(await guardWith().check(`https://${host}/hook`, live)).toBeNull();
  },
);

it.each(['', 'hook', '//hook.example', 'ftp://hook.example', 'file:///etc/passwd', 'https://', 'javascript:alert(1)'])(
  'refuses %j, which is no URL for a webhook',
  async (url) => {
    expect(await guardWith().check(url, live)).toMatchObject({ code: 'invalid_url' });
  },
);

it('checks the address that it connects to when DNS answers differently at the connection', async () => {
  const before = received;
  const answers = [['93.184.215.14'], ['127.0.0.1']];
  const resolve = async () => answers.shift() ?? [];
  const guard = guardWith({ resolve });
  const url = `http://receiver.example:${port}/hook`;
  expect(await guard.check(url, live)).toBeNull();
  const sender = openWebhookSender({ guard, proxyUrl: null, version: '1' });
  const response = await sender.send({ url, ...live, timeoutMs: 5000 }, { headers: {}, body: '{}' });
  expect(response).toMatchObject({ status: null, error: 'address_forbidden' });
  expect(received).toBe(before);
  await sender.close();
});

it('connects to the checked address and to no other', async () => {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return ['127.0.0.1'];
  };
  const url = `http://receiver.example:${port}/hook`;
  expect(await send(url, { resolve, allowedNetworks: ['127.0.0.0/8'] })).toMatchObject({ status: 200, error: null });
  expect(asked).toEqual(['receiver.example']);
});

it('reaches a network that the operator opened, and no other', async () => {
  const allowedNetworks = ['10.1.0.0/16', 'fd00:1::/32', '192.168.7.7'];
  const guard = guardWith({ allowedNetworks });
  for (const host of ['10.1.2.3', '[fd00:1::5]', '192.168.7.7', '[::ffff:10.1.2.3]'])
    expect(await guard.check(`https://${host}/`, live)).toBeNull();
  for (const host of ['10.2.0.1', '[fd00:2::5]', '192.168.7.8', 'localhost', '[::ffff:10.2.0.1]'])
    expect(await guard.check(`https://${host}/`, live)).toMatchObject({ code: 'address_forbidden' });
});

it('accepts plain HTTP only for a receiver on the machine itself, and only in test mode', async () => {
  const resolve = async () => ['127.0.0.1'];
  const guard = guardWith({ allowHttp: false, resolve });
  for (const host of ['127.0.0.1', 'localhost', '[::1]', 'hooks.localhost'])
    expect(await guard.check(`http://${host}:${port}/`, test)).toBeNull();
  expect(await guard.check('http://93.184.215.14/', test)).toMatchObject({ code: 'invalid_url' });
  expect(await guard.check(`http://127.0.0.1:${port}/`, live)).toMatchObject({ code: 'invalid_url' });
  expect(await guard.check(`https://127.0.0.1:${port}/`, live)).toMatchObject({ code: 'address_forbidden' });
  expect(await guard.check('https://10.0.0.1/', test)).toMatchObject({ code: 'address_forbidden' });
  const before = received;
  expect(await send(`http://localhost:${port}/`, { allowHttp: false, resolve }, test)).toMatchObject({ status: 200 });
  expect(await send(`http://localhost:${port}/`, { allowHttp: false, resolve })).toMatchObject({
    error: 'invalid_url',
  });
  expect(received).toBe(before + 1);
});

it('reports that a name has no address', async () => {
  const resolve = () => Promise.reject(new Error('no such name'));
  expect(await guardWith({ resolve }).check('https://receiver.example/', live)).toEqual({
    code: 'dns_failed',
    detail: 'receiver.example could not be resolved.',
  });
  expect(await send('https://receiver.example/', { resolve })).toMatchObject({ error: 'dns_failed' });
});

it('leaves names to the proxy, but neither local names nor addresses', async () => {
  const resolve = () => Promise.reject(new Error('asked for a name behind a proxy'));
  const guard = guardWith({ proxied: true, resolve });
  expect(await guard.check('https://receiver.example/', live)).toBeNull();
  for (const host of ['redis', 'db.internal', 'printer.local', 'nas.home.arpa', '10.0.0.1', 'localhost', '2130706433'])
    expect(await guard.check(`https://${host}/`, live)).toMatchObject({ code: 'address_forbidden' });
});

it('lets test endpoints reach the machine itself only if the API listens on no other address', async () => {
  const shared = guardWith({ allowHttp: false, loopbackInTests: false });
  const own = guardWith({ allowHttp: false });
  for (const url of ['http://127.0.0.1:3000/', 'https://127.0.0.1/', 'http://localhost:3000/', 'https://[::1]/']) {
    expect(await shared.check(url, test), url).toMatchObject({ code: expect.any(String) });
    expect(own.checkUrl(url, test), url).toBeInstanceOf(URL);
  }
});
