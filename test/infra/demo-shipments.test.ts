import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { registerDemoShipments } from '#infra/installation/demo-shipments.ts';
import { readEnv } from '#shared/config/env.ts';
import { demonstrationShipments } from '#shared/domain/registration/demonstration.ts';

const registered: { carrier: string; reference: string }[] = [];
const api = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  registered.push(JSON.parse(body));
  response.writeHead(201).end('{}');
});
let apiUrl: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
beforeEach(() => {
  registered.length = 0;
});
afterAll(() => api.close());

const carriersWith = async (environment: Record<string, string>) => {
  const place = { apiUrl, apiKey: 'the-key', env: readEnv(environment), simulatorUrl: 'http://127.0.0.1:9' };
  const count = await registerDemoShipments(place, new AbortController().signal);
  expect(count).toBe(registered.length);
  return registered.map(({ carrier }) => carrier).sort();
};

const all = demonstrationShipments.map(({ carrier }) => carrier).sort();

it('registers every demonstration shipment if all carriers are simulated', async () => {
  expect(await carriersWith({})).toEqual(all);
});

it('leaves out the carriers that this installation polls itself, by address or by credentials', async () => {
  const withAddress = await carriersWith({ CARRIER_MAERSK_BASE_URL: 'http://127.0.0.1:1' });
  expect(withAddress).toEqual(all.filter((carrier) => carrier !== 'MAEU'));
  registered.length = 0;
  const withCredentials = await carriersWith({
    CARRIER_HAPAG_LLOYD_CLIENT_ID: 'id',
    CARRIER_HAPAG_LLOYD_CLIENT_SECRET: 'secret',
  });
  expect(withCredentials).toEqual(all.filter((carrier) => carrier !== 'HLCU'));
});
