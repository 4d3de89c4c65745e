import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDemoWebhooks } from '#infra/installation/demo-webhooks.ts';
import { buildSimulator } from '#infra/tools/simulator/server.ts';

const simulator = buildSimulator({ seed: 'demo', now: Date.now, voyageS: 50, stateFile: null });
const endpoints: { url: string; secret: string }[] = [];
const api = createServer(async (request, response) => {
  if (request.headers.authorization !== 'Bearer the-key') return response.writeHead(401).end('{}');
  if (request.method === 'GET') return response.end(JSON.stringify({ data: endpoints.map(({ url }) => ({ url })) }));
  let body = '';
  for await (const chunk of request) body += chunk;
  const endpoint = { ...JSON.parse(body), secret: `whsec_${randomBytes(32).toString('base64')}` };
  endpoints.push(endpoint);
  return response.writeHead(201).end(JSON.stringify(endpoint));
});
let place: { apiUrl: string; apiKey: string; simulatorUrl: string };

beforeAll(async () => {
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  place = {
    apiUrl: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    apiKey: 'the-key',
    simulatorUrl: await simulator.listen({ host: '127.0.0.1', port: 0 }),
  };
});
afterAll(async () => {
  api.close();
  await simulator.close();
});

it('creates an endpoint for each receiver once, and gives the receiver its secret', async () => {
  const { signal } = new AbortController();
  expect(await createDemoWebhooks(place, signal)).toBe(3);
  expect(endpoints.map(({ url }) => url.replace(place.simulatorUrl, ''))).toEqual([
    '/receiver/healthy',
    '/receiver/slow',
    '/receiver/refusing',
  ]);
  const { receivers } = (await simulator.inject('/receiver')).json<{ receivers: { secrets: number }[] }>();
  expect(receivers.map(({ secrets }) => secrets)).toEqual([1, 1, 1]);
  endpoints.splice(1, 1);
  expect(await createDemoWebhooks(place, signal)).toBe(1);
  expect(await createDemoWebhooks(place, signal)).toBe(0);
});

it('fails with the reason if the key may not manage webhooks', async () => {
  const creating = createDemoWebhooks({ ...place, apiKey: 'another' }, new AbortController().signal);
  await expect(creating).rejects.toThrow('/v1/webhook-endpoints responded with 401');
});
