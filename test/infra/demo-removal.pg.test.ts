import { afterAll, beforeAll, expect, it } from 'vitest';
import { replaceDemoKey } from '#infra/installation/demo-key.ts';
import { registerDemoShipments } from '#infra/installation/demo-shipments.ts';
import { storeDemoTerms } from '#infra/installation/demo-terms.ts';
import { operatorOf } from '#infra/installation/open-script-core.ts';
import { readEnv } from '#shared/config/env.ts';
import { wipeDemonstration } from '#shared/core/installation/wipe-demonstration.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

let api: TestApi;
const { signal } = new AbortController();

beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
});
afterAll(() => api.close());

const place = () => ({ databaseUrl: api.serviceUrl, publicBaseUrl: api.url });
const access = () => ({ apiUrl: api.url, apiKey: api.key });
const terms = async (): Promise<Json[]> => (await jsonOf(await api.request('/v1/free-time-terms'))).terms;
const push = async (key: string, event: object) =>
  fetch(`${api.url}/v1/events/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events: [event] }),
  });
const departed = {
  source_name: 'demo-railway',
  shipment: { waybill: 'DEMO24011702' },
  code: 'rail_departed',
  time: { at: '2026-03-01T10:00:00Z' },
};

it('gives the demonstration a key that only pushes events, replaces it at each start, and removes all of it', async () => {
  expect(await replaceDemoKey(place(), { isFirst: false })).toBe(null);
  const first = (await replaceDemoKey(place(), { isFirst: true }))!;
  await storeDemoTerms(access(), signal);
  await storeDemoTerms(access(), signal);
  expect((await terms()).map(({ kind }) => kind).sort()).toEqual(['demurrage', 'demurrage', 'detention']);
  const env = readEnv({});
  expect(await registerDemoShipments({ ...access(), env, simulatorUrl: 'http://127.0.0.1:9' }, signal)).toBe(8);
  expect(await (await push(first, departed)).json()).toMatchObject({ summary: { added: 1 } });
  const read = await fetch(`${api.url}/v1/shipments`, { headers: { authorization: `Bearer ${first}` } });
  expect(read.status).toBe(403);

  const second = (await replaceDemoKey(place(), { isFirst: false }))!;
  expect(second).not.toBe(first);
  expect((await push(second, departed)).status).toBe(200);

  const own = { kind: 'detention', country: 'NL', free_days: 3 };
  const put = await fetch(`${api.url}/v1/free-time-terms`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ terms: [...(await terms()), own] }),
  });
  expect(put.status).toBe(200);
  expect(await wipeDemonstration(api.ctx.core, operatorOf(api.accountId))).toBe(8);
  expect(await terms()).toMatchObject([own]);
  const { data } = await jsonOf(await api.request('/v1/shipments'));
  expect(data).toEqual([]);
  expect(await replaceDemoKey(place(), { isFirst: false })).toBe(null);
  // Other processes refuse a revoked key within a second.
  expect(
    await until(
      async () => (await push(second, departed)).status,
      (status) => status === 401,
    ),
  ).toBe(401);
});
