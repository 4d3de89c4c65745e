import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';

let api: TestApi;
let numbers = 700_000_000;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

describe('PATCH /v1/shipments/{shipment_id}', () => {
  it('returns the record with the client’s fields changed', async () => {
    const { shipment_id: id } = await register();
    const answer = await patch(id, { reference: `PO-${id}`, tags: ['b', 'a', 'b'], metadata: { desk: '7' } });
    expect(answer.status).toBe(200);
    expect(await jsonOf(answer)).toMatchObject({
      reference: `PO-${id}`,
      tags: ['b', 'a'],
      metadata: { desk: '7' },
      version: 2,
    });
    expect(await jsonOf(await api.request(`/v1/shipments/${id}`))).toMatchObject({ reference: `PO-${id}`, version: 2 });
    expect(await jsonOf(await patch(id, { metadata: { desk: null, lane: 'A' } }))).toMatchObject({
      metadata: { lane: 'A' },
      version: 3,
    });
    expect(await jsonOf(await patch(id, {}))).toMatchObject({ version: 3 });
  });

  it.each([
    ['an unknown field', { referense: 'x' }, 400, 'unknown_field'],
    ['a read-only field', { status: 'delivered' }, 400, 'unknown_field'],
    ['a wrong type', { archived: 'no' }, 400, 'validation_failed'],
    ['a control character', { metadata: { desk: '\u0000' } }, 400, 'validation_failed'],
    ['a control character in a reference', { reference: 'a\u0000' }, 400, 'validation_failed'],
    ['too many tags', { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, 400, 'validation_failed'],
    ['an identifier of another mode', { identifiers: { awb: '020-12345675' } }, 422, 'identifier_mode_mismatch'],
    ['an unknown identifier', { identifiers: { bookin: '12345' } }, 400, 'unknown_field'],
    ['a carrier without a connector', { carrier: 'OOLU' }, 422, 'carrier_not_supported'],
    ['a list', [], 400, 'validation_failed'],
    ['invalid JSON', '{', 400, 'invalid_json'],
    ['an empty body', '', 400, 'invalid_json'],
  ])('rejects %s', async (_name, body, status, code) => {
    const { shipment_id: id } = await register();
    const answer = await patch(id, body);
    expect([answer.status, (await jsonOf(answer)).code]).toEqual([status, code]);
    expect(await jsonOf(await api.request(`/v1/shipments/${id}`))).toMatchObject({ version: 1 });
  });

  it('names the shipment that has the reference or the number', async () => {
    const first = await register();
    await patch(first.shipment_id, { reference: 'PO-TAKEN' });
    const second = await register();
    for (const body of [
      { reference: 'PO-TAKEN' },
      { carrier: 'MAEU', identifiers: { booking: first.identifiers.mbl } },
    ]) {
      await patch(first.shipment_id, { identifiers: { booking: first.identifiers.mbl } });
      const answer = await patch(second.shipment_id, body);
      expect(answer.status).toBe(409);
      expect((await jsonOf(answer)).shipment_ids).toContain(first.shipment_id);
    }
  });
});

describe('POST /v1/shipments/{shipment_id}/…', () => {
  it('answers refresh with 202 and the record, then 429 with Retry-After', async () => {
    const { shipment_id: id } = await register();
    const answer = await act(id, 'refresh');
    expect([answer.status, (await jsonOf(answer)).shipment_id]).toEqual([202, id]);
    const again = await act(id, 'refresh');
    expect([again.status, (await jsonOf(again)).code]).toEqual([429, 'refresh_too_soon']);
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(590);
  });

  it('answers stop, resume and cancel with the record, however often they are sent', async () => {
    const { shipment_id: id } = await register();
    for (const [verb, tracking, status] of [
      ['stop', { state: 'stopped', reason: 'stopped_by_client', next_refresh_at: null }, 'pending'],
      ['resume', { state: 'queued', reason: null }, 'pending'],
      ['cancel', { state: 'stopped', reason: 'booking_cancelled' }, 'cancelled'],
      ['resume', { state: 'queued', reason: null }, 'pending'],
    ] as const) {
      const first = await act(id, verb);
      expect(first.status).toBe(200);
      const record = await jsonOf(first);
      expect(record).toMatchObject({ status, tracking });
      expect((await jsonOf(await act(id, verb))).version).toBe(record.version);
    }
    const refused = await act(id, 'stop').then(() => act(id, 'refresh'));
    expect([refused.status, (await jsonOf(refused)).code]).toEqual([409, 'invalid_state']);
  });

  it('accepts an empty body in every form, and no fields', async () => {
    const { shipment_id: id } = await register();
    const json = { 'content-type': 'application/json' };
    for (const init of [{}, { headers: json }, { headers: json, body: '{}' }, { headers: json, body: '' }]) {
      expect((await api.request(`/v1/shipments/${id}/stop`, { method: 'POST', ...init })).status).toBe(200);
    }
    const refused = await api.post(`/v1/shipments/${id}/stop`, { reason: 'lost interest' });
    expect([refused.status, (await jsonOf(refused)).code]).toEqual([400, 'unknown_field']);
    expect((await api.post(`/v1/shipments/${id}/stop`, [])).status).toBe(400);
    expect((await act(id, 'stop?force=true')).status).toBe(400);
  });
});

describe('DELETE /v1/shipments/{shipment_id}', () => {
  it('archives: removed from the list, still readable, its number free; PATCH restores it', async () => {
    const record = await register();
    const { shipment_id: id } = record;
    for (let turn = 0; turn < 2; turn++) {
      const answer = await api.request(`/v1/shipments/${id}`, { method: 'DELETE' });
      expect([answer.status, await answer.text()]).toEqual([204, '']);
    }
    expect(await listed(record.identifiers.mbl)).toEqual([]);
    expect((await api.request(`/v1/shipments/${id}`)).status).toBe(200);
    expect((await jsonOf(await act(id, 'resume'))).code).toBe('invalid_state');

    const second = await register(record.identifiers.mbl);
    expect(second.shipment_id).not.toBe(id);
    const refused = await patch(id, { archived: false });
    expect([refused.status, (await jsonOf(refused)).code]).toEqual([409, 'identifier_conflict']);
    await patch(second.shipment_id, { archived: true });
    expect((await patch(id, { archived: false })).status).toBe(200);
    expect(await listed(record.identifiers.mbl)).toEqual([id]);
  });
});

it('answers every verb like missing for an ID of the other mode and an invalid one, and requires the scope', async () => {
  const { shipment_id: id } = await register();
  const test = await api.createKey({ test: true });
  const reader = await api.createKey({ scopes: ['shipments:read'] });
  const verbs: [string, string, string?][] = [
    ['PATCH', '', '{"reference": "x"}'],
    ['DELETE', ''],
    ['POST', '/refresh'],
    ['POST', '/stop'],
    ['POST', '/resume'],
    ['POST', '/cancel'],
  ];
  for (const [method, tail, body] of verbs) {
    const send = (address: string, secret: string) =>
      fetch(`${api.url}/v1/shipments/${address}${tail}`, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      });
    expect((await send(id, test.secret)).status, method + tail).toBe(404);
    expect((await send('shp_nonsense', api.key)).status, method + tail).toBe(404);
    expect((await send(id, reader.secret)).status, method + tail).toBe(403);
  }
  expect(await jsonOf(await api.request(`/v1/shipments/${id}`))).toMatchObject({
    version: 1,
    tracking: { state: 'queued' },
  });
});

async function register(mbl: string = newNumber()): Promise<Json> {
  const answer = await api.post('/v1/shipments', { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } });
  expect(answer.status).toBe(201);
  return jsonOf(answer);
}

function newNumber(): string {
  numbers += 1;
  return String(numbers);
}

function patch(id: string, body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return api.request(`/v1/shipments/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: text,
  });
}

function act(id: string, verb: string): Promise<Response> {
  return api.request(`/v1/shipments/${id}/${verb}`, { method: 'POST' });
}

async function listed(mbl: string): Promise<string[]> {
  const page = await jsonOf(await api.request(`/v1/shipments?mbl=${mbl}`));
  return page.data.map((summary: Json) => summary.shipment_id);
}
