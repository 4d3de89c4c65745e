import { afterAll, beforeAll, expect, it } from 'vitest';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';

let api: TestApi;
let deleter: string;

beforeAll(async () => {
  api = await startTestApi({ RETENTION_DAYS: '700' });
  deleter = (await api.createKey({ scopes: ['shipments:read', 'shipments:write', 'shipments:delete'] })).secret;
});

afterAll(() => api.close());

const as = (key: string, init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: { authorization: `Bearer ${key}`, ...init.headers },
});

async function register(number: string): Promise<string> {
  const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: number }, reference: `PO-${number}` };
  return (await jsonOf(await api.post('/v1/shipments', body))).shipment_id;
}

async function track(shipmentId: string, raw: unknown): Promise<void> {
  await refresh(
    api.ctx.core,
    { accountId: api.accountId, shipmentId: decodeTypeId('shp', shipmentId) ?? '' },
    found({ code: 'gate_in_full', local: '2026-03-01T08:00', raw }, { code: 'departed', local: '2026-03-03T08:00' }),
  );
}

it('streams everything about a shipment, each event with its whole raw data', async () => {
  const id = await register('205000001');
  const raw = { long: 'x'.repeat(40_000) };
  await track(id, raw);
  await sequenceChanges(api.ctx.core);
  const answer = await api.request(`/v1/shipments/${id}/bundle`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${id}.ndjson"`);
  const lines: { part: string; data: Json }[] = (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const of = (part: string) => lines.filter((line) => line.part === part).map(({ data }) => data);
  expect(of('record')).toEqual([await jsonOf(await api.request(`/v1/shipments/${id}`))]);
  expect(of('event').map(({ code, raw: sent }) => [code, sent])).toEqual([
    ['departed', { said: 'departed' }],
    ['gate_in_full', raw],
  ]);
  expect(of('refresh')).toEqual((await jsonOf(await api.request(`/v1/shipments/${id}/refreshes`))).data);
  expect(of('change')).toEqual((await jsonOf(await api.request(`/v1/events?shipment_id=${id}`))).data);
  expect(of('identifier').map(({ key }) => key)).toContain('mbl');
  expect(of('status_change').at(-1)).toMatchObject({ to: 'in_transit', event_code: 'departed' });
  expect(lines.at(-1)).toEqual({ part: 'end', data: { lines: lines.length - 1 } });
});

it('removes a shipment for good only with the scope for it, and then answers 404 everywhere', async () => {
  const id = await register('205000002');
  await track(id, null);
  await sequenceChanges(api.ctx.core);
  const refused = await api.request(`/v1/shipments/${id}/purge`, { method: 'POST' });
  expect(refused.status).toBe(403);
  expect(await jsonOf(refused)).toMatchObject({ code: 'insufficient_scope' });

  expect((await api.request(`/v1/shipments/${id}/purge`, as(deleter, { method: 'POST' }))).status).toBe(204);
  for (const path of ['', '/events', '/refreshes', '/unreadable-events', '/bundle']) {
    const answer = await api.request(`/v1/shipments/${id}${path}`);
    expect([path, answer.status, (await jsonOf(answer)).code]).toEqual([path, 404, 'shipment_not_found']);
  }
  expect((await api.request(`/v1/shipments/${id}/purge`, as(deleter, { method: 'POST' }))).status).toBe(404);
  expect((await jsonOf(await api.request(`/v1/events?shipment_id=${id}`))).data).toEqual([]);
  // Its numbers and its reference are free again.
  expect(await register('205000002')).not.toBe(id);
});

it('lets readers of the feed go on past removed changes', async () => {
  await sequenceChanges(api.ctx.core);
  const before = (await jsonOf(await api.request('/v1/events?after=latest'))).page.next_after;
  const ids = [await register('205000003'), await register('205000004')];
  await sequenceChanges(api.ctx.core);
  expect((await api.request(`/v1/shipments/${ids[0]}/purge`, as(deleter, { method: 'POST' }))).status).toBe(204);
  const page = await jsonOf(await api.request(`/v1/events?after=${before}`));
  expect(page.data.map((change: Json) => change.data.shipment.shipment_id)).toEqual([ids[1]]);
  expect(page.page).toMatchObject({ gap: false, next_after: page.page.latest_position });
});

it('lets an account shorten how long closed shipments are kept, but not extend it', async () => {
  const patch = async (days: unknown, key = deleter) =>
    api.request(
      '/v1/account',
      as(key, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ retention_days: days }),
      }),
    );
  expect(await jsonOf(await api.request('/v1/account'))).toMatchObject({
    object: 'account',
    retention_days: null,
    effective_retention_days: 700,
  });
  expect((await patch(365, api.key)).status).toBe(403);
  expect(await jsonOf(await patch(365))).toMatchObject({ retention_days: 365, effective_retention_days: 365 });
  expect(await jsonOf(await patch(1000))).toMatchObject({ retention_days: 1000, effective_retention_days: 700 });
  expect((await patch(0)).status).toBe(400);
  expect(await jsonOf(await patch(null))).toMatchObject({ retention_days: null, effective_retention_days: 700 });
});
